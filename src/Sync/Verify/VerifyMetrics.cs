using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Sync.Verify;

internal static class VerifyMetrics
{
    private static readonly IReadOnlyList<(Metric Metric, Func<VerifyCounts, double> Count)> Counters =
    [
        (Counted.Read.As("Keys that the source or the destination named.", LiveColumn.Sent), counts => counts.Read),
        (Counted.Equal.As("Keys that are the same at both."), counts => counts.Equal),
        (Counted.Differences.As("Keys that are not.", LiveColumn.Errors), counts => counts.Differences),
        (Counted.Missing.As("Keys of the source that the destination lacks."),
            counts => counts.Of(DifferenceKind.Missing)),
        (Metric.Counter("extra", "Keys of the destination that the source has not."),
            counts => counts.Of(DifferenceKind.Extra)),
        (Metric.Counter("different-type", "Keys of another type."), counts => counts.Of(DifferenceKind.Type)),
        (Metric.Counter("different-value", "Keys with another value."), counts => counts.Of(DifferenceKind.Value)),
        (Metric.Counter("different-time", "Keys that expire at another time."),
            counts => counts.Of(DifferenceKind.Time)),
        (Counted.Unsettled.As("Keys that were changed in every round."), counts => counts.Unsettled),
        (Metric.Counter("incomparable", "Keys of a module's type whose DUMP is not the same."),
            counts => counts.Incomparable),
        (Counted.Unread.As("Keys that could not be read."), counts => counts.Unread),
        (Counted.Filtered.As("Left out by filters, or not of the sample."), counts => counts.Filtered),
    ];

    private static readonly IReadOnlyList<Metric> Known =
        [Metric.Hiccups, .. Counters.Select(one => one.Metric)];

    public static string? Problem(Threshold threshold) => threshold.Validate(Known);

    public static MetricSet Of(VerifyCounts counts)
    {
        var set = new MetricSet();
        foreach (var (metric, count) in Counters)
            set.Add(metric, () => count(counts), () => counts.Read);
        return set;
    }

    public static IReadOnlyList<RecordedMetric> Recorded(VerifyCounts counts) =>
        [.. Counters.Select(one => RecordedMetric.Of(one.Metric, one.Count(counts)))];
}
