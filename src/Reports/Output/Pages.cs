namespace RedisLatency.Reports.Output;

/// <summary>How wide a page may be.</summary>
public static class Pages
{
    /// <summary>The width that every terminal, mail and review page has: that of a writer that knows none.</summary>
    public const int UsualWidth = 80;

    /// <summary>Below it tables and lines are no longer broken, above it they are no easier to read.</summary>
    public const int LeastWidth = 50;

    /// <inheritdoc cref="LeastWidth"/>
    public const int MostWidth = 120;

    /// <summary>The width of the page that a writer prints on.</summary>
    public static int PageWidth(this TextWriter writer) => writer is IPage page ? page.Width : UsualWidth;
}

/// <summary>A writer that knows how wide the page is that it prints on: a terminal.</summary>
public interface IPage
{
    /// <summary>Columns.</summary>
    int Width { get; }
}

/// <summary>Text for a page of some width.</summary>
public sealed class PageText(int width) : StringWriter, IPage
{
    public int Width => width;

    public override string NewLine => "\n";
}

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
