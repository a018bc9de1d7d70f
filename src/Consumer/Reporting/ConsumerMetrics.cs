using RedisLatency.Consumer.Serving;
using RedisLatency.Hosting.Thresholds;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Results;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Consumer.Reporting;

/// <summary>
/// What thresholds can be set on, and what it came to. A counter's share is of the messages that came or were lost.
/// </summary>
internal sealed class ConsumerMetrics(LatencyHistogram residence, LatencyHistogram hiccups, MessageCounts counts)
    : IThresholdSource
{
    private static readonly IReadOnlyList<string> Counters =
        ["received", "echoed", "lost", "duplicated", "reordered", "foreign", "corrupted"];

    private static readonly IReadOnlyList<KnownMetric> Known =
    [
        new(ResidenceReporter.Residence, MetricKind.Durations),
        new(ResidenceReporter.Hiccups, MetricKind.Durations),
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
                ResidenceReporter.Residence => Read(residence, statistic),
                ResidenceReporter.Hiccups => Read(hiccups, statistic),
                _ => null,
            };
        }

        if (CounterOf(threshold.Metric) is not { } counter)
            return null;
        var due = (counts.Received ?? 0) + (counts.Lost ?? 0);
        return new ThresholdReading(threshold.Unit == ThresholdUnit.Share ? (double)counter / due : counter);
    }

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

    private static ThresholdReading Read(LatencyHistogram histogram, ThresholdStatistic statistic)
    {
        if (statistic == ThresholdStatistic.Count)
            return new ThresholdReading(histogram.TotalCount);
        if (histogram.TotalCount == 0)
            return new ThresholdReading(double.NaN, HasEnoughSamples: false);
        if (statistic.Percentile is { } percentile)
        {
            var row = PercentileRow.Of(histogram, percentile);
            return new ThresholdReading(row.Value ?? double.NaN, row.HasEnoughSamples);
        }

        return new ThresholdReading(
            statistic == ThresholdStatistic.Min ? histogram.Min
            : statistic == ThresholdStatistic.Max ? histogram.Max
            : histogram.Mean);
    }
}
