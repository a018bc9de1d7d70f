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
