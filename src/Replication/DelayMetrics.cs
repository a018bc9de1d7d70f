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
        ReplicationDelay.SeriesName, MetricKind.Durations,
        "From when a value was sent to when it was at the destination, at most: when a poll had found it.")
    {
        Column = LiveColumn.Latency,
        Label = DestinationLabel,
    };

    public static readonly Metric DelayFromIntended = new(
        "delay-intended", MetricKind.Durations, "The same from when the value was due.")
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
        "lateness", MetricKind.Durations, "How late values were sent, after they were due.")
    {
        Column = LiveColumn.Lateness,
    };

    public static readonly Metric Wait = new("wait", MetricKind.Durations, "How long WAIT took for one replica.");

    public static readonly Metric InFlight = new("in-flight", MetricKind.Gauge, "Values that are waited for.")
    {
        Column = LiveColumn.InFlight,
    };

    private static readonly Metric Missing = Counted.Missing.As("Keys not there at their deadline.", LiveColumn.Lost);
    private static readonly Metric Sent = Counted.Sent.As("Keys sent.", LiveColumn.Sent);

    private static readonly IReadOnlyList<(Metric Metric, Func<KeyCounts, long> Count)> OfTheSource =
    [
        (Counted.Asked.As("Keys due by the schedule."), keys => keys.Asked),
        (Counted.Unsent.As("Keys due without a connection.", LiveColumn.Unsent), keys => keys.Unsent),
        (Counted.Refused.As("Keys that the source refused.", LiveColumn.Errors), keys => keys.Refused),
    ];

    private static readonly IReadOnlyList<(Metric Metric, Func<KeyCounts, long> Count)> OfTheDestination =
    [
        (Counted.Read.As("Keys read.", LiveColumn.Returned), keys => keys.Read),
        (Counted.Overwritten.As("Keys that others overwrote.", LiveColumn.Errors), keys => keys.Overwritten),
        (Missing, keys => keys.Missing),
        (Counted.Unread.As("Keys of which nothing is known."), keys => keys.Unread),
    ];

    private static readonly IReadOnlyList<Metric> OfTheWriter =
        [Lateness, Wait, Metric.Hiccups, .. OfTheSource.Select(one => one.Metric)];

    private static readonly IReadOnlyList<Metric> OfTheReader =
    [
        Delay, DelayFromIntended, Uncertainty, Metric.Hiccups, .. OfTheSource.Select(one => one.Metric),
        .. OfTheDestination.Select(one => one.Metric with { Label = DestinationLabel }),
    ];

    private static readonly IReadOnlyList<Metric> Known =
    [
        Delay, DelayFromIntended, Uncertainty, Lateness, Wait, Metric.Hiccups,
        .. OfTheReader.Where(metric => metric.Kind == MetricKind.Counter),
    ];

    public static string? Problem(Threshold threshold) => threshold.Validate(Known);

    public static string? ProblemOfTheWriter(Threshold threshold) =>
        Problem(threshold) ?? Unknown(threshold, OfTheWriter, OfTheReader, "delay read");

    public static string? ProblemOfTheReader(Threshold threshold) =>
        Problem(threshold) ?? Unknown(threshold, OfTheReader, OfTheWriter, "delay write");

    public static bool IsOfEachDestination(Threshold threshold) =>
        Known.Any(metric => metric.Name == threshold.Metric && metric.Label is not null);

    // Without a tally another process reads; without an error there is one clock.
    public static MetricSet Of(
        DelayTally? tally, Func<KeyCounts> counts, Func<long>? errorNs = null, params IEnumerable<MetricSeries> others)
    {
        var set = new MetricSet();
        foreach (var series in (tally?.Parts ?? []).Concat(others))
            set.Add(series);
        foreach (var delay in tally is null ? [] : new[] { tally.FromSent, tally.FromIntended })
        {
            set.AddReading(delay.Metric, threshold => ThresholdReading.Between(
                delay.Lower, delay.Upper, threshold.SeriesStatistic, errorNs?.Invoke() ?? 0));
        }

        AddCounts(set, counts, isReadHere: tally is not null);
        if (tally is not null)
            set.AddReading(Missing, threshold => ReadingOfMissing(threshold, counts(), tally.FoundLate));
        return set;
    }

    // Polls were so far apart that of some keys, which came, nobody knows whether they did by their deadline; keys that
    // were not read to their deadline may have been missing, too.
    private static ThresholdReading ReadingOfMissing(Threshold threshold, KeyCounts counts, long late)
    {
        var whole = threshold.Unit == ThresholdUnit.Share ? counts.Asked : 1.0;
        return new ThresholdReading((counts.Missing + (late / 2.0)) / whole)
        {
            Error = late / 2.0 / whole,
            Missing = counts.Unread,
            Because = counts.Unread > 0
                ? $"not known, because of {Quantity.Count(counts.Unread)} keys nothing is known"
                : $"not known, because {Quantity.Count(late)} keys were found after their deadline and last looked for "
                    + "before it",
        };
    }

    public static void AddCounts(MetricSet set, Func<KeyCounts> counts, bool isReadHere = true)
    {
        foreach (var (metric, count) in OfTheSource)
            set.Add(metric, () => count(counts()), () => counts().Asked);
        foreach (var (metric, count) in OfTheDestination)
            set.Add(metric, () => isReadHere ? count(counts()) : null, () => counts().Asked);
        set.Add(Sent, () => counts().Sent, () => counts().Asked);
    }

    private static string? Unknown(
        Threshold threshold, IReadOnlyList<Metric> here, IReadOnlyList<Metric> there, string other) =>
        here.Any(metric => metric.Name == threshold.Metric) ? null
        : $"{threshold.Metric} is not known here; give it to "
            + (there.Any(metric => metric.Name == threshold.Metric) ? other : "delay");
}
