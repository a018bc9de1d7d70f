namespace RedisLatency.Reports.Page;

/// <summary>Something that happened at a moment, marked in a chart.</summary>
public sealed record ChartMark(double X, string Kind, string Text)
{
    /// <summary>How long the tool itself stood still, in nanoseconds; null of all else.</summary>
    public long? PauseNs { get; init; }

    /// <summary>Whether it is one of the tool's own pauses.</summary>
    public bool IsPause => PauseNs is not null;
}
