namespace RedisLatency.Reports.Output;

/// <summary>Rows of comma-separated values (RFC 4180), ended by the writer's own line end.</summary>
public sealed class CsvWriter(TextWriter writer)
{
    /// <summary>Writes one row; cells with commas, quotes or line ends are quoted.</summary>
    public void WriteRow(params ReadOnlySpan<string> cells)
    {
        for (var index = 0; index < cells.Length; index++)
        {
            if (index > 0)
                writer.Write(',');
            writer.Write(Quote(cells[index]));
        }

        writer.WriteLine();
    }

    private static string Quote(string cell) => cell.AsSpan().IndexOfAny(",\"\r\n") < 0
        ? cell
        : $"\"{cell.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
}
