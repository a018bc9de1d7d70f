using RedisLatency.Hosting.Results;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;
using KnownMetric = RedisLatency.Reports.MetricSets.Metric;
using MeasuredThreshold = RedisLatency.Reports.Records.ThresholdResult;

namespace RedisLatency.Replication.Figures;

/// <summary>Statistics are intervals, widened by what clocks may be off; a threshold inside one is undecided.</summary>
internal sealed class DelayMetrics(
    ReplicationDelay keys, DelayTally? tally, IReadOnlyList<CollectedSeries> series, LatencyHistogram hiccups)
    : IThresholdSource
{
    public const string DestinationLabel = "destination";

    private static readonly string[] OfEachDestination =
    [
        DelaySeriesNames.Delay, DelaySeriesNames.DelayFromIntended, DelaySeriesNames.Uncertainty, "read", "overwritten",
        "missing", "unread",
    ];

    private static readonly string[] Counters =
        ["asked", "unsent", "refused", "read", "overwritten", "missing", "unread"];

    private static readonly string[] OfTheWriter =
        [DelaySeriesNames.Lateness, DelaySeriesNames.Wait, DelaySeriesNames.Hiccups, "asked", "unsent", "refused"];

    private static readonly string[] OfTheReader =
    [
        DelaySeriesNames.Delay, DelaySeriesNames.DelayFromIntended, DelaySeriesNames.Uncertainty,
        DelaySeriesNames.Hiccups,
        .. Counters,
    ];

    private static readonly IReadOnlyList<KnownMetric> Known =
    [
        .. new[]
        {
            DelaySeriesNames.Delay, DelaySeriesNames.DelayFromIntended, DelaySeriesNames.Uncertainty,
            DelaySeriesNames.Lateness, DelaySeriesNames.Wait, DelaySeriesNames.WaitForAll, DelaySeriesNames.Hiccups,
        }.Select(name => Metric(name, MetricKind.Durations)),
        .. Counters.Select(name => Metric(name, MetricKind.Counter)),
    ];

    public static string? Problem(Threshold threshold) => threshold.Validate(Known);

    public static string? ProblemOfTheWriter(Threshold threshold) =>
        Problem(threshold) ?? Unknown(threshold, OfTheWriter, OfTheReader, "delay read");

    public static string? ProblemOfTheReader(Threshold threshold) =>
        Problem(threshold) ?? Unknown(threshold, OfTheReader, OfTheWriter, "delay write");

    public static bool IsOfEachDestination(Threshold threshold) => OfEachDestination.Contains(threshold.Metric);

    public ThresholdReading? Find(Threshold threshold)
    {
        if (threshold.Statistic is { } statistic)
        {
            return threshold.Metric switch
            {
                DelaySeriesNames.Delay => Between(tally?.FromSent, statistic),
                DelaySeriesNames.DelayFromIntended => Between(tally?.FromIntended, statistic),
                DelaySeriesNames.Hiccups => ThresholdReading.Of(hiccups, statistic),
                _ => series.FirstOrDefault(known => known.Name == threshold.Metric) is { } found
                    ? ThresholdReading.Of(found.Total, statistic)
                    : null,
            };
        }

        return CounterOf(threshold.Metric) is { } counter
            ? new ThresholdReading(threshold.Unit == ThresholdUnit.Share ? (double)counter / keys.Asked : counter)
            : null;
    }

    private static KnownMetric Metric(string name, MetricKind kind) =>
        new(name, kind) { Label = OfEachDestination.Contains(name) ? DestinationLabel : null };

    private static string? Unknown(Threshold threshold, string[] here, string[] there, string other) =>
        here.Contains(threshold.Metric) ? null
        : $"{threshold.Metric} is not known here; give it to {(there.Contains(threshold.Metric) ? other : "delay")}";

    private ThresholdReading? Between(DelaySeries? delay, ThresholdStatistic statistic) =>
        delay is null ? null : IntervalReading.Between(delay.Lower, delay.Upper, statistic, keys.ErrorNs);

    private long? CounterOf(string metric) => metric switch
    {
        "asked" => keys.Asked,
        "unsent" => keys.Unsent,
        "refused" => keys.Refused,
        "read" => keys.Read,
        "overwritten" => keys.Overwritten,
        "missing" => keys.Missing,
        "unread" => keys.Unread,
        _ => null,
    };
}

/// <summary>A statistic of values that are known as intervals: it lies between those of their two ends.</summary>
internal static class IntervalReading
{
    public static ThresholdReading Between(
        LatencyHistogram lower, LatencyHistogram upper, ThresholdStatistic statistic, long errorNs = 0)
    {
        var least = ThresholdReading.Of(lower, statistic);
        var most = ThresholdReading.Of(upper, statistic);
        // What is missing has no upper end: only the least is proven.
        if (Math.Max(least.Missing, most.Missing) is var missing and > 0)
            return new ThresholdReading(least.Value - errorNs, least.HasEnoughSamples) { Missing = missing };
        return new ThresholdReading((least.Value + most.Value) / 2, least.HasEnoughSamples && most.HasEnoughSamples)
        {
            Error = ((most.Value - least.Value) / 2) + errorNs,
        };
    }
}

/// <summary>Holds thresholds; one on what was read against each destination, or against the one it names.</summary>
internal sealed class DelayDemands(DelayOutcome outcome, LatencyHistogram hiccups)
{
    public IEnumerable<MeasuredThreshold> Evaluate(IEnumerable<Threshold> thresholds) =>
        thresholds.SelectMany(Evaluate);

    private IEnumerable<MeasuredThreshold> Evaluate(Threshold threshold)
    {
        if (outcome.Destinations.Count == 0)
        {
            var whole = new DelayMetrics(outcome.Keys, outcome.Tally, outcome.Series, hiccups);
            return [RunRecordParts.Threshold(threshold.Evaluate(whole))];
        }

        if (!DelayMetrics.IsOfEachDestination(threshold))
        {
            // What became of a key at the source is the same for each.
            var whole = new DelayMetrics(outcome.Destinations[0].Keys, outcome.Tally, outcome.Series, hiccups);
            return [RunRecordParts.Threshold(threshold.Evaluate(whole))];
        }

        return outcome.Destinations.Where(one => threshold.Scope is null || Is(one.Keys, threshold.Scope.Name))
            .Select(one => At(one, threshold));
    }

    private static bool Is(ReplicationDelay keys, string name) =>
        name == keys.DestinationRegion || name == keys.Destination;

    private MeasuredThreshold At(PartOutcome one, Threshold threshold)
    {
        var metrics = new DelayMetrics(one.Keys, one.Tally, one.Series, hiccups);
        var name = one.Keys.DestinationRegion ?? one.Keys.Destination;
        var result = RunRecordParts.Threshold(threshold.Evaluate(metrics), threshold.Scope is null ? name : null);
        return threshold.Scope is null ? result with { Reason = $"{result.Reason}, at {name}" } : result;
    }
}
