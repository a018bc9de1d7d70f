using RedisLatency.Replication.Links;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Replication;

internal static class DelayMetrics
{
    public const string DestinationLabel = "destination";

    public static readonly Metric Delay = new(
        Measured.Delay, MetricKind.Durations,
        "From when a value was sent to when it was at the destination, at most: when a poll had found it.")
    {
        Column = LiveColumn.Latency,
        Label = DestinationLabel,
    };

    public static readonly Metric DelayFromIntended = new(
        Measured.DelayFromIntended, MetricKind.Durations, "The same from when the value was due.")
    {
        Column = LiveColumn.LatencyFromIntended,
        Label = DestinationLabel,
    };

    public static readonly Metric Uncertainty = new(
        "uncertainty", MetricKind.Durations, "From the last poll that missed a value to the one that found it.")
    {
        Label = DestinationLabel,
    };

    public static readonly Metric Lateness = new(
        Measured.Lateness, MetricKind.Durations, "How late values were sent, after they were due.")
    {
        Column = LiveColumn.Lateness,
    };

    public static readonly Metric Wait = new("wait", MetricKind.Durations, "How long WAIT took for one replica.");

    public static readonly Metric InFlight = Metric.InFlight with { Help = "Values that are waited for." };

    public static readonly Metric Age = new(
        "age", MetricKind.Duration,
        "How long ago the newest heartbeat that was seen at the destination had been sent.")
    {
        Instrument = "redislatency.replication.heartbeat.age",
    };

    // What became of a key that is used again.
    public static readonly Metric BeatsUnsent = Beats(Counted.Unsent, LiveColumn.Unsent);
    public static readonly Metric BeatsRefused = Beats(Counted.Refused, LiveColumn.Errors);
    public static readonly Metric BeatsSeen = Beats(Metric.Counter("seen"), LiveColumn.Returned);
    public static readonly Metric BeatsSkipped = Beats(Counted.Skipped, LiveColumn.Lost);
    public static readonly Metric BeatsWritten = Beats(Counted.Written, LiveColumn.None);
    private static readonly Metric BeatsAsked = Counted.Asked;
    private static readonly Metric BeatsSent = Counted.Sent with { Column = LiveColumn.Sent };
    private static readonly Metric BeatsWaiting = new("waiting", MetricKind.Gauge);
    private static readonly Metric BeatsOverwritten = Counted.Overwritten with { Column = LiveColumn.Errors };

    private static readonly IReadOnlyList<(Metric Metric, Func<DelayCounts, long> Count)> OfBeats =
    [
        (BeatsAsked, beats => beats.Asked), (BeatsSent, beats => beats.Sent), (BeatsUnsent, beats => beats.Unsent),
        (BeatsRefused, beats => beats.Refused), (BeatsWritten, beats => beats.Written),
        (BeatsSeen, beats => beats.Read), (BeatsSkipped, beats => beats.Skipped),
        (BeatsWaiting, beats => beats.Waiting), (BeatsOverwritten, beats => beats.Foreign),
    ];

    // What became of keys that are new each time.
    private static readonly Metric Missing = Counted.Missing.As("Keys not there at their deadline.", LiveColumn.Lost);
    private static readonly Metric Sent = Counted.Sent.As("Keys sent.", LiveColumn.Sent);

    private static readonly IReadOnlyList<(Metric Metric, Func<DelayCounts, long> Count)> OfTheSource =
    [
        (Counted.Asked.As("Keys due by the schedule."), keys => keys.Asked),
        (Counted.Unsent.As("Keys due without a connection.", LiveColumn.Unsent), keys => keys.Unsent),
        (Counted.Refused.As("Keys that the source refused.", LiveColumn.Errors), keys => keys.Refused),
    ];

    private static readonly IReadOnlyList<(Metric Metric, Func<DelayCounts, long> Count)> OfTheDestination =
    [
        (Counted.Read.As("Keys read.", LiveColumn.Returned), keys => keys.Read),
        (Counted.Overwritten.As("Keys that others overwrote.", LiveColumn.Errors), keys => keys.Overwritten),
        (Missing, keys => keys.Missing),
        (Counted.Unread.As("Keys of which nothing is known."), keys => keys.Waiting),
    ];

    private static readonly IReadOnlyList<Metric> OfTheLag =
        [.. LagBytes.Known.Select(one => one.Metric with { Label = DestinationLabel })];

    private static readonly IReadOnlyList<Metric> OfTheWriter =
        [Lateness, Wait, Metric.Hiccups, .. OfTheSource.Select(one => one.Metric)];

    private static readonly IReadOnlyList<Metric> OfTheReader =
    [
        Delay, DelayFromIntended, Uncertainty, Metric.Hiccups, .. OfTheSource.Select(one => one.Metric),
        .. OfTheDestination.Select(one => one.Metric with { Label = DestinationLabel }), .. OfTheLag,
    ];

    private static readonly IReadOnlyList<Metric> Known =
    [
        Delay, DelayFromIntended, Uncertainty, Lateness, Wait, Metric.Hiccups,
        .. OfTheReader.Where(metric => metric.Kind == MetricKind.Counter), .. OfTheLag,
    ];

    private static readonly IReadOnlyList<Metric> BeatsKnownToWriter =
        [Lateness, Metric.Hiccups, BeatsAsked, BeatsUnsent, BeatsRefused];

    // What the source refused is skipped for a reader elsewhere.
    private static readonly IReadOnlyList<Metric> BeatsKnownToReader =
    [
        Alone(Delay), Alone(DelayFromIntended), Alone(Uncertainty), Metric.Hiccups, Age, BeatsAsked, BeatsUnsent,
        BeatsSeen, BeatsSkipped, BeatsOverwritten,
    ];

    private static readonly IReadOnlyList<Metric> BeatsKnown =
    [
        .. BeatsKnownToReader.Take(3), Lateness, Metric.Hiccups, Age, BeatsAsked, BeatsUnsent, BeatsRefused, BeatsSeen,
        BeatsSkipped, BeatsOverwritten,
    ];

    // Why a process that has these ends of the link cannot decide it; null where it can.
    public static string? Problem(Threshold threshold, bool isOfHeartbeats, bool writes, bool reads)
    {
        if (isOfHeartbeats)
            return threshold.Validate(!writes ? BeatsKnownToReader : !reads ? BeatsKnownToWriter : BeatsKnown);
        var problem = threshold.Validate(Known);
        if (problem is not null || (writes && reads))
            return problem;
        var (here, there, other) = writes
            ? (OfTheWriter, OfTheReader, "delay read")
            : (OfTheReader, OfTheWriter, "delay write");
        return here.Any(metric => metric.Name == threshold.Metric) ? null
            : $"{threshold.Metric} is not known here; give it to "
                + (there.Any(metric => metric.Name == threshold.Metric) ? other : "delay");
    }

    public static bool IsAge(Threshold threshold) => threshold.Metric == Age.Name;

    public static bool IsOfDurations(Threshold threshold) => new[] { Delay, DelayFromIntended, Uncertainty, Lateness }
        .Any(metric => metric.Name == threshold.Metric);

    public static bool IsOfEachDestination(Threshold threshold) =>
        Known.Any(metric => metric.Name == threshold.Metric && metric.Label is not null);

    // Without a tally another process reads; without an error there is one clock.
    public static MetricSet Of(
        DelayTally? tally, Func<DelayCounts>? counts, Func<long>? errorNs = null,
        params IEnumerable<MetricSeries> others)
    {
        var set = new MetricSet();
        foreach (var series in (tally?.Parts ?? []).Concat(others))
            set.Add(series);
        foreach (var delay in tally is null ? [] : new[] { tally.FromSent, tally.FromIntended })
        {
            set.AddReading(delay.Metric, threshold => ThresholdReading.Between(
                delay.Lower, delay.Upper, threshold.SeriesStatistic, errorNs?.Invoke() ?? 0));
        }

        if (counts is not null)
            AddCounts(set, counts, tally, isReadHere: tally is not null);
        return set;
    }

    public static void AddCounts(
        MetricSet set, Func<DelayCounts> counts, DelayTally? tally, bool isReadHere)
    {
        foreach (var (metric, count) in OfTheSource)
            set.Add(metric, () => count(counts()), () => counts().Asked);
        foreach (var (metric, count) in OfTheDestination)
            set.Add(metric, () => isReadHere ? count(counts()) : null, () => counts().Asked);
        set.Add(Sent, () => counts().Sent, () => counts().Asked);
        if (tally is not null)
            set.AddReading(Missing, threshold => ReadingOfMissing(threshold, counts(), tally.FoundLate));
    }

    // Known where both ends say how far they are; for thresholds alone.
    public static void AddLag(MetricSet set, Func<LagBytes?> lag)
    {
        foreach (var (metric, value) in LagBytes.Known)
            set.AddReading(metric, _ => lag() is { } known ? new ThresholdReading(value(known)) : null);
    }

    // What the live view shows.
    public static void AddBeats(MetricSet set, Func<DelayCounts> counts) => AddBeats(
        set, counts, [BeatsSent, BeatsUnsent, BeatsRefused, BeatsSeen, BeatsSkipped, BeatsOverwritten]);

    // What thresholds are held against.
    public static void AddKnownBeats(MetricSet set, Func<DelayCounts> counts) => AddBeats(
        set, counts, BeatsKnown, () => counts().Asked is var asked and not 0 ? asked : double.NaN);

    public static void AddBeats(
        MetricSet set, Func<DelayCounts> counts, IEnumerable<Metric> metrics, Func<double?>? whole = null)
    {
        foreach (var (metric, count) in OfBeats.Where(one => metrics.Contains(one.Metric)))
            set.Add(metric, () => count(counts()), whole);
    }

    // As the record has them, whatever the keys are; what another process reads is not known.
    public static IReadOnlyList<RecordedMetric> Recorded(DelayCounts counts, bool isContinuous, bool isReadHere)
    {
        var overwritten = isReadHere ? counts.Overwritten + counts.Foreign : (double?)null;
        var read = isReadHere ? counts.Read : (double?)null;
        var missing = isReadHere && !isContinuous ? counts.Missing : (double?)null;
        return
        [
            RecordedMetric.Of(Counted.Asked, counts.Asked), RecordedMetric.Of(Counted.Unsent, counts.Unsent),
            RecordedMetric.Of(Counted.Refused, counts.Refused), RecordedMetric.Of(Counted.Read, read),
            RecordedMetric.Of(Counted.Overwritten, overwritten),
            isContinuous
                ? RecordedMetric.Of(Counted.Skipped, isReadHere ? counts.Skipped : null)
                : RecordedMetric.Of(Counted.Missing, missing),
            RecordedMetric.Of(Counted.Unread, isReadHere ? counts.Waiting : null),
            RecordedMetric.Of(Counted.Sent, counts.Sent),
            // By the names that all roles have for them.
            RecordedMetric.Of(Counted.Received, read),
            RecordedMetric.Of(Counted.Lost, missing),
            RecordedMetric.Of(Counted.Wrong, isContinuous ? null : overwritten),
        ];
    }

    // By their names in the log of windows; what is not among them is the difference of others.
    public static IEnumerable<(string Name, long Count)> LoggedBeats(DelayCounts counts) => OfBeats
        .Where(one => one.Metric != BeatsSent && one.Metric != BeatsWritten)
        .Select(one => (one.Metric.Name, one.Count(counts)));

    // Polls were so far apart that of some keys, which came, nobody knows whether they did by their deadline; keys that
    // were not read to their deadline may have been missing, too.
    private static ThresholdReading ReadingOfMissing(Threshold threshold, DelayCounts counts, long late)
    {
        var whole = threshold.Unit == ThresholdUnit.Share ? counts.Asked : 1.0;
        return new ThresholdReading((counts.Missing + (late / 2.0)) / whole)
        {
            Error = late / 2.0 / whole,
            Missing = counts.Waiting,
            Because = counts.Waiting > 0
                ? $"not known, because of {Quantity.Count(counts.Waiting)} keys nothing is known"
                : $"not known, because {Quantity.Count(late)} keys were found after their deadline and last polled for "
                    + "before it",
        };
    }

    // There is one destination only.
    private static Metric Alone(Metric metric) => metric with { Label = null };

    private static Metric Beats(Metric counted, LiveColumn column) =>
        counted.As("Heartbeats by what became of them.", column) with
        {
            Instrument = "redislatency.replication.heartbeats",
            Labels = [new("outcome", counted.Name)],
        };
}
