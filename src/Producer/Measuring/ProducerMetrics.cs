using RedisLatency.Metrics.Histograms;
using RedisLatency.Producer.OneWay;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Producer.Measuring;

/// <summary>What thresholds can be set on, and what it came to.</summary>
internal sealed class ProducerMetrics(
    IReadOnlyList<CollectedSeries> series,
    LatencyHistogram hiccups,
    MessageCounts counts,
    MessageRates rates,
    OneWayMetrics oneWay)
    : IThresholdSource
{
    private const string Rate = "rate";

    private static readonly IReadOnlyList<KnownMetric> Known =
    [
        new(SeriesNames.RoundTrip, MetricKind.Durations),
        new(SeriesNames.RoundTripFromIntended, MetricKind.Durations),
        new(SeriesNames.Network, MetricKind.Durations),
        new(SeriesNames.NetworkFromIntended, MetricKind.Durations),
        new(SeriesNames.Residence, MetricKind.Durations),
        new(SeriesNames.Lateness, MetricKind.Durations),
        new(SeriesNames.Hiccups, MetricKind.Durations),
        .. OneWayMetrics.Known,
        .. CounterNames.Select(name => new KnownMetric(name, MetricKind.Counter)),
        new(Rate, MetricKind.Ratio),
    ];

    private static IReadOnlyList<string> CounterNames =>
        ["asked", "sent", "unsent", "returned", "lost", "late", "duplicated", "reordered", "wrong", "corrupted"];

    /// <summary>What is wrong with a threshold, or null; asked before the run.</summary>
    public static string? Problem(Threshold threshold) => threshold.Validate(Known) ?? OneWayMetrics.Problem(threshold);

    /// <inheritdoc/>
    public ThresholdReading? Find(Threshold threshold)
    {
        if (oneWay.Find(threshold) is { } reading)
            return reading;
        if (threshold.Metric == Rate)
            return new ThresholdReading(rates.Asked is { } asked ? rates.Achieved / asked ?? double.NaN : double.NaN);
        if (threshold.Statistic is { } statistic)
            return HistogramOf(threshold.Metric) is { } histogram ? ThresholdReading.Of(histogram, statistic) : null;
        if (CounterOf(threshold.Metric) is not { } counter)
            return null;
        return new ThresholdReading(
            threshold.Unit == ThresholdUnit.Share ? (double)counter / WholeOf(threshold.Metric) : counter);
    }

    // What comes back is a share of the echoes that were owed, which several consumers make more than messages.
    private long WholeOf(string metric) => metric is "returned" or "lost" or "late" or "duplicated" or "reordered"
        ? counts.Owed ?? counts.Asked ?? 0
        : counts.Asked ?? 0;

    private LatencyHistogram? HistogramOf(string metric) => metric == SeriesNames.Hiccups
        ? hiccups
        : series.FirstOrDefault(known => known.Name == metric)?.Total;

    private long? CounterOf(string metric) => metric switch
    {
        "asked" => counts.Asked,
        "sent" => counts.Sent,
        "unsent" => counts.Unsent,
        "returned" => counts.Returned,
        "lost" => counts.Lost,
        "late" => counts.Late,
        "duplicated" => counts.Duplicated,
        "reordered" => counts.Reordered,
        "wrong" => counts.Wrong,
        "corrupted" => counts.Corrupted,
        _ => null,
    };
}
