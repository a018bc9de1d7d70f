using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Monitoring;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Replication;

/// <summary>Thresholds in the window so far: what overdue heartbeats could change has only a least value.</summary>
internal sealed class HeartbeatMetrics
{
    public static readonly Metric Age = new(
        "age", MetricKind.Duration,
        "How long ago the newest heartbeat that was seen at the destination had been sent.")
    {
        Instrument = "redislatency.replication.heartbeat.age",
    };

    public static readonly Metric Unsent = Outcome("unsent", LiveColumn.Unsent);
    public static readonly Metric Refused = Outcome("refused", LiveColumn.Errors);
    public static readonly Metric Seen = Outcome("seen", LiveColumn.Returned);
    public static readonly Metric Skipped = Outcome("skipped", LiveColumn.Lost);
    public static readonly Metric Written = Outcome("written", LiveColumn.None);
    private static readonly Metric Asked = Counted.Asked;
    private static readonly Metric Sent = Counted.Sent with { Column = LiveColumn.Sent };
    private static readonly Metric Waiting = new("waiting", MetricKind.Gauge);
    private static readonly Metric Overwritten = Counted.Overwritten with { Column = LiveColumn.Errors };

    private static readonly IReadOnlyList<(Metric Metric, Func<HeartbeatCounts, long> Count)> Counters =
    [
        (Asked, counts => counts.Asked), (Sent, counts => counts.Sent), (Unsent, counts => counts.Unsent),
        (Refused, counts => counts.Refused), (Written, counts => counts.Sent - counts.Refused),
        (Seen, counts => counts.Seen), (Skipped, counts => counts.Skipped), (Waiting, counts => counts.Waiting),
        (Overwritten, counts => counts.Foreign),
    ];

    private static readonly IReadOnlyList<Metric> Delays =
    [
        .. new[] { DelayMetrics.Delay, DelayMetrics.DelayFromIntended, DelayMetrics.Uncertainty }.Select(
            metric => metric with { Label = null }),
    ];

    private static readonly IReadOnlyList<Metric> KnownToWriter =
        [DelayMetrics.Lateness, Metric.Hiccups, Asked, Unsent, Refused];

    // What the source refused is skipped for a reader elsewhere.
    private static readonly IReadOnlyList<Metric> KnownToReader =
        [.. Delays, Metric.Hiccups, Age, Asked, Unsent, Seen, Skipped, Overwritten];

    private static readonly IReadOnlyList<Metric> KnownToBoth =
        [.. Delays, DelayMetrics.Lateness, Metric.Hiccups, Age, Asked, Unsent, Refused, Seen, Skipped, Overwritten];

    private readonly HeartbeatSeries _series;
    private readonly HeartbeatSession _session;
    private readonly long _mostWaiting;
    private readonly MetricSet _window = new();

    public HeartbeatMetrics(HeartbeatSeries series, HeartbeatSession session, long mostWaiting)
    {
        (_series, _session, _mostWaiting) = (series, session, mostWaiting);
        foreach (var one in series.All)
            _window.AddReading(one.Series.Metric, one.Window);
        AddDelays(DelayMetrics.Delay, FromSent);
        AddDelays(DelayMetrics.DelayFromIntended, FromIntended);
        _window.AddReading(Metric.Hiccups, series.Hiccups);
        _window.AddReading(Age, _ => new ThresholdReading(Counts.AgeNs) { Error = AgeErrorNs });
        AddCounts(_window, () => Counts, KnownToBoth, () => Counts.Asked == 0 ? double.NaN : Counts.Asked);

        void AddDelays(Metric metric, WindowDelays delays) => _window.AddReading(
            metric,
            threshold => ThresholdReading.Between(delays.Least, delays.Most, threshold.SeriesStatistic, ErrorNs));
    }

    public HeartbeatCounts Counts { get; set; }
    public long ErrorNs { get; set; }
    public long AgeErrorNs { get; set; }
    public WindowDelays FromSent { get; } = new();
    public WindowDelays FromIntended { get; } = new();
    public long Overdue { get; private set; }

    public static string? Problem(Threshold threshold) => threshold.Validate(KnownToBoth);

    public static string? WriterProblem(Threshold threshold) => threshold.Validate(KnownToWriter);

    public static string? ReaderProblem(Threshold threshold) => threshold.Validate(KnownToReader);

    public static bool IsAge(Threshold threshold) => threshold.Metric == Age.Name;

    public static bool IsOfHeartbeats(Threshold threshold) =>
        Delays.Append(DelayMetrics.Lateness).Any(metric => metric.Name == threshold.Metric);

    public static void AddCounts(
        MetricSet set, Func<HeartbeatCounts> counts, IEnumerable<Metric> metrics, Func<double?>? whole = null)
    {
        foreach (var (metric, count) in Counters.Where(one => metrics.Contains(one.Metric)))
            set.Add(metric, () => count(counts()), whole);
    }

    // As the record has them, by the names that keys have for them too.
    public static IReadOnlyList<RecordedMetric> Recorded(HeartbeatCounts counts, bool isReadHere) =>
    [
        RecordedMetric.Of(Counted.Asked, counts.Asked),
        RecordedMetric.Of(Counted.Sent, counts.Sent),
        RecordedMetric.Of(Counted.Unsent, counts.Unsent),
        RecordedMetric.Of(Counted.Refused, counts.Refused),
        RecordedMetric.Of(Counted.Read, isReadHere ? counts.Seen : null),
        RecordedMetric.Of(Counted.Overwritten, isReadHere ? counts.Foreign : null),
        RecordedMetric.Of(Counted.Skipped, isReadHere ? counts.Skipped : null),
        RecordedMetric.Of(Counted.Unread, isReadHere ? counts.Waiting : null),
    ];

    // By their names in the log of windows; what is not among them is the difference of others.
    public static IEnumerable<(string Name, long Count)> Logged(HeartbeatCounts counts) => Counters
        .Where(one => one.Metric != Sent && one.Metric != Written).Select(one => (one.Metric.Name, one.Count(counts)));

    // What the live view shows.
    public static void AddCounts(MetricSet set, HeartbeatSession session, bool isReadHere)
    {
        AddCounts(set, session.Count, [Sent, Unsent, Refused, Seen, Skipped, Overwritten]);
        if (isReadHere)
            set.Add(DelayMetrics.InFlight, () => session.Count().Waiting);
    }

    public ThresholdResult Evaluate(Threshold threshold) => threshold.Evaluate(_window);

    public void TakeWindow()
    {
        FromSent.Take(_series.Main == _series.Lateness
            ? [_series.Lateness, _series.Lateness, _series.Lateness]
            : _series.FromSent);
        FromIntended.Take(_series.FromIntended);
        Overdue = 0;
        var now = MonotonicClock.NowNs();
        var longest = FromSent.Most.TotalCount == 0 ? -1 : FromSent.Most.Max;
        foreach (var way in _session.Ways)
        {
            // Of a long outage as many as a window has, from the newest to the oldest. Each was sent when it was due,
            // or before.
            var counts = way.Beats.Count();
            var taken = way.Reader is null ? 0 : Math.Min(counts.Waiting, _mostWaiting);
            var newest = Math.Max(0, now - counts.NewestSentNs);
            for (long i = 0; i < taken; i++)
            {
                var place = taken == 1 ? 0 : (double)i / (taken - 1) * (counts.Waiting - 1);
                var waited = newest + ((long)place * _session.Schedule.IntervalNs);
                if (waited <= longest)
                    continue;
                FromSent.AddWaiting(waited);
                FromIntended.AddWaiting(waited);
                Overdue++;
            }
        }
    }

    private static Metric Outcome(string name, LiveColumn column) =>
        new(name, MetricKind.Counter, "Heartbeats by what became of them.")
        {
            Instrument = "redislatency.replication.heartbeats",
            Labels = [new("outcome", name)],
            Column = column,
        };
}
