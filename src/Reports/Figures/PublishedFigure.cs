namespace RedisLatency.Reports.Figures;

/// <summary>What somebody published for a phase. What is not published is null.</summary>
public sealed record PublishedFigure
{
    /// <summary>What it is for, where one phase has several.</summary>
    public string? Category { get; init; }

    /// <summary>The operation that latencies are of; null for all.</summary>
    public string? Operation { get; init; }

    /// <summary>Operations per second, of all operations.</summary>
    public double? Qps { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>The average latency in microseconds.</summary>
    public double? AverageUs { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>The 99th percentile in microseconds.</summary>
    public double? P99Us { get; init => field = FiniteNumber.OrNull(value); }
}
