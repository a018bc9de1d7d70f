using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Reports.Figures;

/// <summary>A delay that is known between two bounds, and when its middle may stand for it.</summary>
public static class DelayInterval
{
    private const double NarrowNs = 1_000_000;
    private const double NarrowShare = 0.25;

    private static IReadOnlyList<double> Percentiles => PercentileTable.BetweenRegions;

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

    /// <summary>
    /// The series of a record. A delay's middle stands for it only where that says something; of a wide interval the
    /// series of the least and of the most have the two ends.
    /// </summary>
    public static LatencySeries Series(
        string name, LatencyHistogram least, LatencyHistogram middle, LatencyHistogram most, SampleBlocks? blocks)
    {
        var (low, high) = (PercentileTable.Of(least), PercentileTable.Of(most));
        var series = LatencySeries.Of(name, PercentileTable.Of(middle, blocks));
        var isMeanWide = IsWide(low.Mean, high.Mean);
        return series with
        {
            Min = IsWide(low.Min, high.Min) ? null : series.Min,
            Max = IsWide(low.Max, high.Max) ? null : series.Max,
            Mean = isMeanWide ? null : series.Mean,
            StandardDeviation = isMeanWide ? null : series.StandardDeviation,
            Percentiles =
                [.. Percentiles.Select(percentile => Percentile(least, middle, most, percentile, blocks))],
        };
    }

    /// <summary>The series of the least, or of the most.</summary>
    public static LatencySeries End(string name, LatencyHistogram values, SampleBlocks? blocks) =>
        LatencySeries.Of(name, PercentileTable.Of(values, blocks)) with
        {
            Percentiles = [.. Percentiles.Select(percentile => PercentileRow.Of(values, percentile, blocks))],
        };
}
