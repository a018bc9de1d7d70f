using RedisLatency.Hosting.Thresholds;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Replication.Delay.Reading;
using RedisLatency.Replication.Delay.Reporting;
using RedisLatency.Replication.Heartbeat.Beats;
using RedisLatency.Replication.Heartbeat.Windows;

namespace RedisLatency.Replication.Heartbeat.Alerts;

/// <summary>
/// What thresholds can be set on, as it is in the window so far: a statistic of the delay lies between those of its two
/// ends. Heartbeats that are waited for count with what they have waited, where that alone misses a limit.
/// </summary>
internal sealed class HeartbeatMetrics(HeartbeatSeries series, HeartbeatSession session, long mostWaiting) : IThresholdSource
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
        Durations(DelaySeriesNames.Lateness), Durations(DelaySeriesNames.Hiccups), .. Counters("asked", "unsent", "refused"),
    ];

    // What the source refused is skipped for a reader elsewhere.
    private static readonly IReadOnlyList<KnownMetric> KnownToReader =
    [
        .. OfDelays.Append(DelaySeriesNames.Hiccups).Select(Durations),
        new KnownMetric(Age, MetricKind.Duration),
        .. Counters("asked", "unsent", "seen", "skipped", "overwritten"),
    ];

    private readonly LatencyHistogram _least = LatencyHistogram.ForLatency();

    /// <summary>What became of the heartbeats of the window; ages are those of now.</summary>
    public BeatCounts Counts { get; set; }

    /// <summary>How far delays may be off because of the clocks, in nanoseconds.</summary>
    public long ErrorNs { get; set; }

    /// <summary>How far the age may be.</summary>
    public long AgeErrorNs { get; set; }

    /// <summary>What is wrong with a threshold, or null; asked before the run.</summary>
    public static string? Problem(Threshold threshold) => threshold.Validate(KnownToBoth);

    /// <summary>The same where another process reads.</summary>
    public static string? WriterProblem(Threshold threshold) => threshold.Validate(KnownToWriter);

    /// <summary>The same where another process writes.</summary>
    public static string? ReaderProblem(Threshold threshold) => threshold.Validate(KnownToReader);

    /// <summary>Whether it is on the age, and judged all the time.</summary>
    public static bool IsAge(Threshold threshold) => threshold.Metric == Age;

    /// <summary>Whether it is on a series with one value for each heartbeat.</summary>
    public static bool IsOfHeartbeats(Threshold threshold) => OfDelays.Append(DelaySeriesNames.Lateness).Contains(threshold.Metric);

    /// <summary>Holds a threshold against the window.</summary>
    public ThresholdResult Evaluate(Threshold threshold)
    {
        var result = threshold.Evaluate(this);
        var isLimitFromAbove = threshold.Comparison is ThresholdComparison.Less or ThresholdComparison.LessOrEqual;
        var isOfDelays = threshold.Metric == DelaySeriesNames.Delay && threshold.Statistic != ThresholdStatistic.Count;
        if (result.Outcome == ThresholdOutcome.Missed || Counts.Waiting == 0 || !isLimitFromAbove || !isOfDelays)
            return result;

        // They take at least that: a limit that is missed by it is missed.
        var waiting = threshold.Evaluate(new LeastDelays(_least, ErrorNs));
        return waiting.Outcome == ThresholdOutcome.Missed ? waiting : result;
    }

    /// <summary>Counts the heartbeats that are waited for into the least that delays can be.</summary>
    public void CountWaiting()
    {
        _least.Reset();
        _least.Add(series.Lower.Window);
        var now = MonotonicClock.NowNs();
        foreach (var way in session.Ways)
        {
            // Of a long outage as many as a window has, from the newest to the oldest. Each was sent when it was due, or
            // before.
            var counts = way.Tally.Look();
            var taken = Math.Min(counts.Waiting, mostWaiting);
            var newest = Math.Max(0, now - counts.NewestSentNs);
            for (long i = 0; i < taken; i++)
            {
                var place = taken == 1 ? 0 : (double)i / (taken - 1) * (counts.Waiting - 1);
                _least.Record(newest + ((long)place * session.Schedule.IntervalNs));
            }
        }
    }

    /// <inheritdoc/>
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
            DelaySeriesNames.Delay => IntervalReading.Between(series.Lower.Window, series.Upper.Window, statistic, ErrorNs),
            DelaySeriesNames.DelayFromIntended => IntervalReading.Between(
                series.IntendedLower.Window, series.IntendedUpper.Window, statistic, ErrorNs),
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
