using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Verdicts;
using KnownMetric = RedisLatency.Reports.MetricSets.Metric;

namespace RedisLatency.Replication.Figures;

/// <summary>
/// What thresholds can be set on, and what it came to. A statistic of the delay lies between those of its lower and its
/// upper ends, and what the clocks may be off is added to either: a threshold between the two cannot be decided.
/// </summary>
/// <param name="keys">What became of the keys: of all, or at one destination.</param>
/// <param name="tally">Their delays; null where another process reads.</param>
/// <param name="series">What else was measured.</param>
/// <param name="hiccups">The tool's own pauses.</param>
internal sealed class DelayMetrics(
    ReplicationDelay keys, DelayTally? tally, IReadOnlyList<CollectedSeries> series, LatencyHistogram hiccups)
    : IThresholdSource
{
    /// <summary>By what one of several destinations is named.</summary>
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
        DelaySeriesNames.Delay, DelaySeriesNames.DelayFromIntended, DelaySeriesNames.Uncertainty, DelaySeriesNames.Hiccups,
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

    /// <summary>What is wrong with a threshold, or null; asked before the run.</summary>
    public static string? Problem(Threshold threshold) => threshold.Validate(Known);

    /// <summary>The same where keys are only written.</summary>
    public static string? ProblemOfTheWriter(Threshold threshold) =>
        Problem(threshold) ?? Unknown(threshold, OfTheWriter, OfTheReader, "delay read");

    /// <summary>The same where they are only read.</summary>
    public static string? ProblemOfTheReader(Threshold threshold) =>
        Problem(threshold) ?? Unknown(threshold, OfTheReader, OfTheWriter, "delay write");

    /// <summary>Whether each destination has its own, and not all together one.</summary>
    public static bool IsOfEachDestination(Threshold threshold) => OfEachDestination.Contains(threshold.Metric);

    /// <inheritdoc/>
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
        : $"{threshold.Metric} is not known here; give it to {(there.Contains(threshold.Metric) ? other : "delay run")}";

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
