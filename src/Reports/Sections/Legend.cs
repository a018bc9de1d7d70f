namespace RedisLatency.Reports.Sections;

/// <summary>A paragraph that explains cells of tables; it stands where one of them does.</summary>
internal sealed class Legend(IReadOnlyList<Table> tables, Func<string, bool> isExplained, string text) : SectionPart
{
    internal override SectionPart? In(Extent extent) =>
        tables.Any(table => table.In(extent).Rows.Any(row => row.Skip(1).Any(isExplained))) ? new Note(text) : null;
}
