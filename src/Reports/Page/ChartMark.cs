namespace RedisLatency.Reports.Page;

/// <summary>Something that happened at a moment, marked in a chart.</summary>
public sealed record ChartMark(double X, string Kind, string Text)
{
    /// <summary>Whether it is one of the tool's own pauses, of which there may be many.</summary>
    public bool IsPause { get; init; }
}
