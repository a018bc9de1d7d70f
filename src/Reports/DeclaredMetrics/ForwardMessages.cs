namespace RedisLatency.Reports.DeclaredMetrics;

/// <summary>What became of the messages that a Consumer was to measure one way by itself.</summary>
public static class ForwardMessages
{
    /// <summary>Came, and the offset of their time was to follow.</summary>
    public static Metric Received { get; } = Metric.Counter(
        "forward-received", "Messages that came and whose clock offset was to follow.");

    /// <summary>
    /// Are not in the series: no producer sent an offset for their time before the end, their stamps cannot be, or
    /// there was no room to keep them.
    /// </summary>
    public static Metric NotCorrected { get; } = Metric.Counter(
        "forward-not-corrected", "Of these, messages whose latency is not known.");

    /// <summary>Of these, came from more producers than are measured at a time.</summary>
    public static Metric Unserved { get; } = Metric.Counter("forward-unserved");

    /// <summary>Of these, came faster than they were taken.</summary>
    public static Metric Overflowed { get; } = Metric.Counter("forward-overflowed");
}
