using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.OneWay;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Consumer.Serving;

/// <summary>
/// What thresholds can be set on, and what it came to. A counter's share is of the messages that came or were lost.
/// </summary>
internal sealed class ConsumerMetrics(
    LatencyHistogram residence, LatencyHistogram hiccups, MessageCounts counts, ServedForward? forward)
    : IThresholdSource
{
    private static readonly IReadOnlyList<string> Counters =
        ["received", "echoed", "lost", "duplicated", "reordered", "foreign", "corrupted"];

    private static readonly IReadOnlyList<KnownMetric> Known =
    [
        new(ResidenceIntervals.Residence, MetricKind.Durations),
        new(ResidenceIntervals.Hiccups, MetricKind.Durations),
        new(OwnForward.Forward, MetricKind.Durations) { IsSummary = true },
        new(OwnForward.ForwardFromIntended, MetricKind.Durations) { IsSummary = true },
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
                ResidenceIntervals.Residence => ThresholdReading.Of(residence, statistic),
                ResidenceIntervals.Hiccups => ThresholdReading.Of(hiccups, statistic),
                OwnForward.Forward or OwnForward.ForwardFromIntended =>
                    ThresholdReading.Of(forward?.Series.FirstOrDefault(IsOf(threshold)), statistic),
                _ => null,
            };
        }

        if (CounterOf(threshold.Metric) is not { } counter)
            return null;
        var due = (counts.Received ?? 0) + (counts.Lost ?? 0);
        return new ThresholdReading(threshold.Unit == ThresholdUnit.Share ? (double)counter / due : counter);
    }

    private static Func<OneWaySeries, bool> IsOf(Threshold threshold) => series => series.Name == threshold.Metric;

    private long? CounterOf(string metric) => metric switch
    {
        "received" => counts.Received,
        "echoed" => counts.Echoed,
        "lost" => counts.Lost,
        "duplicated" => counts.Duplicated,
        "reordered" => counts.Reordered,
        "foreign" => counts.Foreign,
        "corrupted" => counts.Corrupted,
        _ => null,
    };
}
