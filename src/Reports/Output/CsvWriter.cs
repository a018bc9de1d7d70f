using System.Globalization;

namespace RedisLatency.Reports.Output;

/// <summary>
/// Rows of comma-separated values (RFC 4180), ended by the writer's own line end. What is null is an empty cell, and
/// numbers have at most three decimals.
/// </summary>
public sealed class CsvWriter(TextWriter writer)
{
    /// <summary>Writes one row; cells with commas, quotes or line ends are quoted.</summary>
    public void WriteRow(params ReadOnlySpan<object?> cells)
    {
        for (var index = 0; index < cells.Length; index++)
        {
            if (index > 0)
                writer.Write(',');
            writer.Write(Quote(TextOf(cells[index])));
        }

        writer.WriteLine();
    }

    private static string TextOf(object? cell) => cell switch
    {
        bool flag => flag ? "true" : "false",
        double number => number.ToString("0.###", CultureInfo.InvariantCulture),
        _ => Convert.ToString(cell, CultureInfo.InvariantCulture) ?? string.Empty,
    };

    private static string Quote(string cell) => cell.AsSpan().IndexOfAny(",\"\r\n") < 0
        ? cell
        : $"\"{cell.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
}
