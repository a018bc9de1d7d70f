using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Reports.Figures;

/// <summary>A delay that is known between two bounds, and when its middle may stand for it.</summary>
public static class DelayInterval
{
    private const double NarrowNs = 1_000_000;
    private const double NarrowShare = 0.25;

    /// <summary>
    /// Whether an interval is too wide for its middle to stand for it: by more than a millisecond, and by more than a
    /// quarter of the middle either way.
    /// </summary>
    public static bool IsWide(double? least, double? most) =>
        most - least > Math.Max(NarrowNs, NarrowShare * (least + most) ?? 0);

    /// <summary>A percentile of the middles; not known where the interval is wide there.</summary>
    public static PercentileRow Percentile(
        LatencyHistogram least, LatencyHistogram middle, LatencyHistogram most, double percentile,
        SampleBlocks? blocks = null)
    {
        var row = PercentileRow.Of(middle, percentile, blocks);
        return IsWide(PercentileRow.Of(least, percentile).Value, PercentileRow.Of(most, percentile).Value)
            ? new PercentileRow(percentile, null, null, null) { Unknown = UnknownPercentile.WideInterval }
            : row;
    }
}
