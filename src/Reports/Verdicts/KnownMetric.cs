namespace RedisLatency.Reports.Verdicts;

/// <summary>A metric that a run will have, so that thresholds can be checked before it.</summary>
/// <param name="Name">As thresholds name it.</param>
/// <param name="Kind">What it is.</param>
public sealed record KnownMetric(string Name, MetricKind Kind)
{
    /// <summary>Whether only the percentiles of the summary can be asked for: the whole distribution is not kept.</summary>
    public bool IsSummary { get; init; }

    /// <summary>By what one of several can be named, as in <c>delay{destination=a}.p99</c>; null where it is one only.</summary>
    public string? Label { get; init; }
}
