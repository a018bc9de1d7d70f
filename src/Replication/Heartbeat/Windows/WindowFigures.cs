using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Replication.Heartbeat.Beats;

namespace RedisLatency.Replication.Heartbeat.Windows;

/// <summary>What a window came to; times are in nanoseconds, and null where there is nothing to tell them by.</summary>
/// <param name="Start">When it began.</param>
/// <param name="Length">How long it was.</param>
/// <param name="Counts">What became of the heartbeats in it; the age is that at its end.</param>
/// <param name="LongestAgeNs">The longest age in it.</param>
/// <param name="ErrorNs">How far delays may be off because of the clocks.</param>
/// <param name="Mean">The mean delay of those that were seen; where they are read elsewhere, how late they left.</param>
/// <param name="P50">Half of them took at most that; percentiles are there where ten lie above them.</param>
/// <param name="P95">95 of a hundred.</param>
/// <param name="P99">99 of a hundred.</param>
/// <param name="Max">The longest.</param>
/// <param name="MostMax">What the longest can have been, because it came between two looks.</param>
/// <param name="Averages">The mean delay of the last 1, 5 and 15 minutes.</param>
/// <param name="Alerts">The thresholds that do not hold at its end.</param>
internal sealed record WindowFigures(
    DateTimeOffset Start,
    TimeSpan Length,
    BeatCounts Counts,
    long LongestAgeNs,
    long ErrorNs,
    double? Mean,
    long? P50,
    long? P95,
    long? P99,
    long? Max,
    long? MostMax,
    IReadOnlyList<double?> Averages,
    IReadOnlyList<string> Alerts)
{
    /// <summary>When it ended.</summary>
    public DateTimeOffset End => Start + Length;

    /// <summary>The figures of a window.</summary>
    public static WindowFigures Of(
        DateTimeOffset start, TimeSpan length, BeatCounts counts, long longestAgeNs, long errorNs, HeartbeatSeries series,
        IReadOnlyList<double?> averages, IReadOnlyList<string> alerts)
    {
        var middle = series.Main.Window;
        var isEmpty = middle.TotalCount == 0;
        return new WindowFigures(
            start,
            length,
            counts,
            longestAgeNs,
            errorNs,
            isEmpty ? null : middle.Mean,
            Percentile(middle, 50),
            Percentile(middle, 95),
            Percentile(middle, 99),
            isEmpty ? null : middle.Max,
            series.Upper.Window.TotalCount == 0 ? null : series.Upper.Window.Max,
            averages,
            alerts);
    }

    private static long? Percentile(LatencyHistogram histogram, double percentile) =>
        PercentileRow.Of(histogram, percentile).Value;
}
