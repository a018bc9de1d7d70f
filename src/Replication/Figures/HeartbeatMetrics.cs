using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;
using KnownMetric = RedisLatency.Reports.MetricSets.Metric;

namespace RedisLatency.Replication.Figures;

/// <summary>Thresholds in the window so far: what overdue heartbeats could change has only a least value.</summary>
internal sealed class HeartbeatMetrics(HeartbeatSeries series, HeartbeatSession session, long mostWaiting)
    : IThresholdSource
{
    private const string Age = "age";

    private static readonly string[] OfDelays =
        [DelaySeriesNames.Delay, DelaySeriesNames.DelayFromIntended, DelaySeriesNames.Uncertainty];

    private static readonly IReadOnlyList<KnownMetric> KnownToBoth =
    [
        .. OfDelays.Append(DelaySeriesNames.Lateness).Append(DelaySeriesNames.Hiccups).Select(Durations),
        new KnownMetric(Age, MetricKind.Duration),
        .. Counters("asked", "unsent", "refused", "seen", "skipped", "overwritten"),
    ];

    private static readonly IReadOnlyList<KnownMetric> KnownToWriter =
    [
        Durations(DelaySeriesNames.Lateness), Durations(DelaySeriesNames.Hiccups),
        .. Counters("asked", "unsent", "refused"),
    ];

    // What the source refused is skipped for a reader elsewhere.
    private static readonly IReadOnlyList<KnownMetric> KnownToReader =
    [
        .. OfDelays.Append(DelaySeriesNames.Hiccups).Select(Durations),
        new KnownMetric(Age, MetricKind.Duration),
        .. Counters("asked", "unsent", "seen", "skipped", "overwritten"),
    ];

    public HeartbeatCounts Counts { get; set; }
    public long ErrorNs { get; set; }
    public long AgeErrorNs { get; set; }
    public WindowDelays FromSent { get; } = new();
    public WindowDelays FromIntended { get; } = new();
    public long Overdue { get; private set; }

    public static string? Problem(Threshold threshold) => threshold.Validate(KnownToBoth);

    public static string? WriterProblem(Threshold threshold) => threshold.Validate(KnownToWriter);

    public static string? ReaderProblem(Threshold threshold) => threshold.Validate(KnownToReader);

    public static bool IsAge(Threshold threshold) => threshold.Metric == Age;

    public static bool IsOfHeartbeats(Threshold threshold) =>
        OfDelays.Append(DelaySeriesNames.Lateness).Contains(threshold.Metric);

    public void TakeWindow()
    {
        if (series.Main == series.Lateness)
            FromSent.Take(series.Lateness, series.Lateness, series.Lateness);
        else
            FromSent.Take(series.Lower, series.Middle, series.Upper);
        FromIntended.Take(series.IntendedLower, series.IntendedMiddle, series.IntendedUpper);
        Overdue = 0;
        var now = MonotonicClock.NowNs();
        var longest = FromSent.Most.TotalCount == 0 ? -1 : FromSent.Most.Max;
        foreach (var way in session.Ways)
        {
            // Of a long outage as many as a window has, from the newest to the oldest. Each was sent when it was due,
            // or before.
            var counts = way.Tally.Look();
            var taken = way.Reader is null ? 0 : Math.Min(counts.Waiting, mostWaiting);
            var newest = Math.Max(0, now - counts.NewestSentNs);
            for (long i = 0; i < taken; i++)
            {
                var place = taken == 1 ? 0 : (double)i / (taken - 1) * (counts.Waiting - 1);
                var waited = newest + ((long)place * session.Schedule.IntervalNs);
                if (waited <= longest)
                    continue;
                FromSent.AddWaiting(waited);
                FromIntended.AddWaiting(waited);
                Overdue++;
            }
        }
    }

    public ThresholdReading? Find(Threshold threshold)
    {
        if (threshold.Statistic is not { } statistic)
        {
            return IsAge(threshold) ? new ThresholdReading(Counts.AgeNs) { Error = AgeErrorNs }
                : CounterOf(threshold.Metric) is not { } counter ? null
                : threshold.Unit != ThresholdUnit.Share ? new ThresholdReading(counter)
                : new ThresholdReading(Counts.Asked == 0 ? double.NaN : (double)counter / Counts.Asked);
        }

        return threshold.Metric switch
        {
            DelaySeriesNames.Delay => IntervalReading.Between(FromSent.Least, FromSent.Most, statistic, ErrorNs),
            DelaySeriesNames.DelayFromIntended => IntervalReading.Between(
                FromIntended.Least, FromIntended.Most, statistic, ErrorNs),
            DelaySeriesNames.Hiccups => ThresholdReading.Of(series.Hiccups, statistic),
            _ => series.Find(threshold.Metric) is { } found ? ThresholdReading.Of(found.Window, statistic) : null,
        };
    }

    private static KnownMetric Durations(string name) => new(name, MetricKind.Durations);

    private static IEnumerable<KnownMetric> Counters(params string[] names) =>
        names.Select(name => new KnownMetric(name, MetricKind.Counter));

    private long? CounterOf(string metric) => metric switch
    {
        "asked" => Counts.Asked,
        "unsent" => Counts.Unsent,
        "refused" => Counts.Refused,
        "seen" => Counts.Seen,
        "skipped" => Counts.Skipped,
        "overwritten" => Counts.Foreign,
        _ => null,
    };
}
