namespace RedisLatency.Reports.DeclaredMetrics;

/// <summary>
/// How many bytes of the stream of replication a destination had not processed, by the servers' own offsets.
/// </summary>
public static class ReplicationLag
{
    /// <summary>The mean of all samples.</summary>
    public static Metric Mean { get; } = new(
        "lag-bytes", MetricKind.Gauge, "Bytes of the stream that the destination had not processed, on the average.")
    {
        Unit = "bytes",
        Merge = MergeRule.Mean,
    };

    /// <summary>The largest sample.</summary>
    public static Metric Max { get; } = new("lag-bytes-max", MetricKind.Gauge, "The most in one sample.")
    {
        Unit = "bytes",
        Merge = MergeRule.Max,
    };

    /// <summary>How often both ends were asked.</summary>
    public static Metric Samples { get; } = Metric.Counter("lag-samples") with { Unit = "samples" };
}
