namespace RedisLatency.Reports.DeclaredMetrics;

/// <summary>What operations cost who drives them, and the server.</summary>
public static class Cost
{
    /// <summary>
    /// The largest share of its time that a thread was busy; above 0.9 the tool may be the limit. Of a client library
    /// the share of all processors that the process used.
    /// </summary>
    public static Metric Busy { get; } = new(
        "busy", MetricKind.Ratio, "The largest share of its time that a thread of the engine was busy.")
    { Merge = MergeRule.Max };

    /// <summary>
    /// CPU time for each measured operation, user and system: of the threads that drive them, or where those are not
    /// known of the whole process. The warm-up's is not in it; of an open loop, the spinning for the schedule is.
    /// </summary>
    public static Metric CpuPerOperation { get; } =
        new("cpu-per-operation", MetricKind.Gauge) { Unit = "ns", Merge = MergeRule.Mean };

    /// <summary>What the threads, or the whole process, allocated for each measured operation.</summary>
    public static Metric AllocatedPerOperation { get; } =
        new("allocated-per-operation", MetricKind.Gauge) { Unit = "bytes", Merge = MergeRule.Mean };

    /// <summary>
    /// Of one core the share that the server used while it was measured, of several servers the busiest; not known
    /// where it cannot be read.
    /// </summary>
    public static Metric ServerBusy { get; } = new("server-busy", MetricKind.Ratio) { Merge = MergeRule.Max };
}
