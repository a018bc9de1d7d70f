using RedisLatency.Hosting.Thresholds;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Replication.Delay.Reading;

namespace RedisLatency.Replication.Delay.Reporting;

/// <summary>
/// What thresholds can be set on, and what it came to. A statistic of the delay lies between those of its lower and its
/// upper ends, and what the clocks may be off is added to either: a threshold between the two cannot be decided.
/// </summary>
internal sealed class DelayMetrics(DelayOutcome outcome, LatencyHistogram hiccups) : IThresholdSource
{
    private static readonly string[] Counters =
        ["asked", "unsent", "refused", "read", "overwritten", "missing", "unread"];

    private static readonly IReadOnlyList<KnownMetric> Known =
    [
        .. new[]
        {
            DelaySeriesNames.Delay, DelaySeriesNames.DelayFromIntended, DelaySeriesNames.Uncertainty,
            DelaySeriesNames.Lateness, DelaySeriesNames.Wait, DelaySeriesNames.Hiccups,
        }.Select(name => new KnownMetric(name, MetricKind.Durations)),
        .. Counters.Select(name => new KnownMetric(name, MetricKind.Counter)),
    ];

    /// <summary>What is wrong with a threshold, or null; asked before the run.</summary>
    public static string? Problem(Threshold threshold) => threshold.Validate(Known);

    /// <inheritdoc/>
    public ThresholdReading? Find(Threshold threshold)
    {
        if (threshold.Statistic is { } statistic)
        {
            return threshold.Metric switch
            {
                DelaySeriesNames.Delay => Between(outcome.Tally?.FromSent, statistic),
                DelaySeriesNames.DelayFromIntended => Between(outcome.Tally?.FromIntended, statistic),
                DelaySeriesNames.Hiccups => ThresholdReading.Of(hiccups, statistic),
                _ => outcome.Series.FirstOrDefault(known => known.Name == threshold.Metric) is { } found
                    ? ThresholdReading.Of(found.Total, statistic)
                    : null,
            };
        }

        return CounterOf(threshold.Metric) is { } counter
            ? new ThresholdReading(threshold.Unit == ThresholdUnit.Share ? (double)counter / outcome.Keys.Asked : counter)
            : null;
    }

    private ThresholdReading? Between(DelaySeries? delay, ThresholdStatistic statistic) =>
        delay is null ? null : IntervalReading.Between(delay.Lower, delay.Upper, statistic, outcome.Keys.ErrorNs);

    private long? CounterOf(string metric) => metric switch
    {
        "asked" => outcome.Keys.Asked,
        "unsent" => outcome.Keys.Unsent,
        "refused" => outcome.Keys.Refused,
        "read" => outcome.Keys.Read,
        "overwritten" => outcome.Keys.Overwritten,
        "missing" => outcome.Keys.Missing,
        "unread" => outcome.Keys.Unread,
        _ => null,
    };
}
