using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Replication.Figures;

/// <summary>A statistic of values that are known as intervals: it lies between those of their two ends.</summary>
internal static class IntervalReading
{
    /// <summary>The middle, and how far it may be off.</summary>
    /// <param name="lower">The lower ends.</param>
    /// <param name="upper">The upper ends.</param>
    /// <param name="statistic">Which statistic.</param>
    /// <param name="errorNs">What either end may be off besides, in nanoseconds.</param>
    public static ThresholdReading Between(
        LatencyHistogram lower, LatencyHistogram upper, ThresholdStatistic statistic, long errorNs = 0)
    {
        var least = ThresholdReading.Of(lower, statistic);
        var most = ThresholdReading.Of(upper, statistic);
        // What is missing has no upper end: only the least is proven.
        if (Math.Max(least.Missing, most.Missing) is var missing and > 0)
            return new ThresholdReading(least.Value - errorNs, least.HasEnoughSamples) { Missing = missing };
        return new ThresholdReading((least.Value + most.Value) / 2, least.HasEnoughSamples && most.HasEnoughSamples)
        {
            Error = ((most.Value - least.Value) / 2) + errorNs,
        };
    }
}
