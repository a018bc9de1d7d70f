using RedisLatency.Producer.Measuring;
using RedisLatency.Reports.OneWay;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Producer.OneWay;

/// <summary>
/// What thresholds can be set on one way. A value counts with its error: a limit within it cannot be decided, nor can
/// any where the pair's grade is F. Of several consumers the worst one counts.
/// </summary>
internal sealed class OneWayMetrics(IReadOnlyList<OneWayPair> pairs)
{
    private const string ClockError = "clock-error";
    private const string Negatives = "negatives";
    private const string BelowFloor = "below-floor";

    private static readonly string[] Series =
        [SeriesNames.ForwardFromIntended, SeriesNames.Forward, SeriesNames.BackFromIntended, SeriesNames.Back];

    /// <summary>The metrics.</summary>
    public static IReadOnlyList<KnownMetric> Known { get; } =
    [
        .. Series.Select(name => new KnownMetric(name, MetricKind.Durations) { IsSummary = true }),
        new(ClockError, MetricKind.Durations),
        new(Negatives, MetricKind.Counter),
        new(BelowFloor, MetricKind.Counter),
    ];

    /// <summary>What is wrong with a threshold on one of them, or null.</summary>
    public static string? Problem(Threshold threshold)
    {
        if (threshold.Metric == ClockError && threshold.Statistic is { Name: not ("p50" or "max") })
            return "clock-error has p50 and max only";
        return threshold.Metric is Negatives or BelowFloor && threshold.Unit == ThresholdUnit.Share
            ? $"{threshold.Metric} is a number of values, and a share of nothing that was asked for"
            : null;
    }

    /// <summary>The reading of a threshold on one of them; null where it is on something else.</summary>
    public ThresholdReading? Find(Threshold threshold)
    {
        if (!Known.Any(metric => metric.Name == threshold.Metric))
            return null;
        var readings = pairs.Select(pair => Read(pair, threshold)).ToList();
        if (readings.Count == 0)
            return new ThresholdReading(double.NaN, HasEnoughSamples: false);
        if (readings.Exists(reading => !reading.HasEnoughSamples))
            return readings.Find(reading => !reading.HasEnoughSamples);
        return threshold.Comparison is ThresholdComparison.Greater or ThresholdComparison.GreaterOrEqual
            ? readings.MinBy(reading => reading.Value - reading.Error)
            : readings.MaxBy(reading =>
                reading.Missing > 0 ? double.PositiveInfinity : reading.Value + reading.Error);
    }

    private static ThresholdReading Read(OneWayPair pair, Threshold threshold) => threshold.Metric switch
    {
        Negatives => new ThresholdReading(pair.Series.Sum(series => series.Negatives)),
        BelowFloor => new ThresholdReading(pair.Series.Sum(series => series.BelowFloor ?? 0)),
        ClockError => new ThresholdReading(
            (threshold.Statistic!.Name == "max" ? pair.Offset?.ErrorWorstNs : pair.Offset?.ErrorMedianNs) ?? double.NaN),
        _ => Read(pair, pair.Series.FirstOrDefault(series => series.Name == threshold.Metric), threshold.Statistic!),
    };

    private static ThresholdReading Read(OneWayPair pair, OneWaySeries? series, ThresholdStatistic statistic)
    {
        var reading = ThresholdReading.Of(series, statistic);
        var isMeasured = reading.HasEnoughSamples && statistic != ThresholdStatistic.Count;
        return isMeasured && (pair.Grade is OneWayGrade.F or null)
            ? reading with { Error = double.PositiveInfinity }
            : reading;
    }
}
