using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Figures;

/// <summary>
/// The series of a record. A delay's middle stands for it only where that says something; of a wide interval the series
/// of the least and of the most have the two ends. A mean has its error beside it: half of what lies between theirs.
/// </summary>
internal static class DelayRows
{
    // What published tables of regions have.
    private const double PublishedPercentile = 95;

    private const double NarrowNs = 1_000_000;
    private const double NarrowShare = 0.25;

    // Whether an interval is too wide for its middle to stand for it: by more than a millisecond, and by more than a
    // quarter of the middle either way.
    public static bool IsWide(double? least, double? most) =>
        most - least > Math.Max(NarrowNs, NarrowShare * (least + most) ?? 0);

    public static PercentileRow Percentile(
        LatencyHistogram least, LatencyHistogram middle, LatencyHistogram most, double percentile,
        SampleBlocks? blocks = null)
    {
        var row = PercentileRow.Of(middle, percentile, blocks);
        return IsWide(PercentileRow.Of(least, percentile).Value, PercentileRow.Of(most, percentile).Value)
            ? new PercentileRow(percentile, null, null, null) { Unknown = UnknownPercentile.WideInterval }
            : row;
    }

    public static IReadOnlyList<LatencySeries> Of(IEnumerable<MetricSeries> measured)
    {
        var all = measured.ToDictionary(one => one.Metric.Name);
        return [.. all.Select(one => all.TryGetValue($"{one.Key}-lower", out var least)
            ? Of(one.Value, least.Total, all[$"{one.Key}-upper"].Total)
            : Of(one.Value))];
    }

    private static LatencySeries Of(MetricSeries values)
    {
        var series = LatencySeries.Of(values.Metric.Name, PercentileTable.Of(values.Total, values.Blocks));
        return values.Metric.Name.Split('-')[0] == DelayMetrics.Delay.Name
            ? series with
            {
                Percentiles =
                    [.. Percentiles.Select(percentile => PercentileRow.Of(values.Total, percentile, values.Blocks))],
            }
            : series;
    }

    private static LatencySeries Of(MetricSeries middle, LatencyHistogram least, LatencyHistogram most)
    {
        var series = Of(middle);
        return series with
        {
            Min = IsWide(MinOf(least), MinOf(most)) ? null : series.Min,
            Max = IsWide(MaxOf(least), MaxOf(most)) ? null : series.Max,
            Percentiles =
            [
                .. Percentiles.Select(
                    percentile => Percentile(least, middle.Total, most, percentile, middle.Blocks)),
            ],
        };
    }

    private static long? MinOf(LatencyHistogram values) => PercentileTable.Of(values).Min;

    private static long? MaxOf(LatencyHistogram values) => PercentileTable.Of(values).Max;

    private static IEnumerable<double> Percentiles => PercentileTable.Percentiles.Append(PublishedPercentile).Order();
}
