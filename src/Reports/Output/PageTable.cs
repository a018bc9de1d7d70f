namespace RedisLatency.Reports.Output;

/// <summary>A table of a page: the first cell of each row is its head.</summary>
public sealed record PageTable(string Caption, IReadOnlyList<string> Heads, IReadOnlyList<IReadOnlyList<string>> Rows)
{
    /// <summary>What to know of it, a sentence each.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>The same without columns in which nothing stands.</summary>
    public PageTable WithoutEmptyColumns()
    {
        var used = Enumerable.Range(0, Heads.Count)
            .Where(column => Rows.Count == 0 || Rows.Any(row => row[column].Length > 0)).ToList();
        return this with
        {
            Heads = [.. used.Select(column => Heads[column])],
            Rows = [.. Rows.Select(row => used.Select(column => row[column]).ToList())],
        };
    }
}
