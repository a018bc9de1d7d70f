namespace RedisLatency.Reports.Sections;

/// <summary>Tables as comma-separated values (RFC 4180), ended by the writer's own line end.</summary>
public static class SectionCsv
{
    public static void Write(TextWriter writer, Table table)
    {
        foreach (var row in table.Rows.Prepend(table.Heads))
            writer.WriteLine(string.Join(',', row.Select(Quoted)));
    }

    private static string Quoted(string cell) => cell.AsSpan().IndexOfAny(",\"\r\n") < 0
        ? cell
        : $"\"{cell.Replace("\"", "\"\"", StringComparison.Ordinal)}\"";
}
