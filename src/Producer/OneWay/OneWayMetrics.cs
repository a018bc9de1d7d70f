using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Producer.OneWay;

// What is measured one way. In a threshold a value counts with its error: a limit within it cannot be decided, nor can
// any where the pair's grade is F. Of several consumers the worst one counts.
internal static class OneWayMetrics
{
    public static readonly Metric ForwardFromIntended = Series(
        "forward-intended", "From when a message was due until the consumer had it.");

    public static readonly Metric Forward = Series(
        "forward", "From when a message was sent until the consumer had it.");

    public static readonly Metric BackFromIntended = Series(
        "back-intended", "From when the consumer had a message until its echo was back.");

    public static readonly Metric Back = Series("back", "From when an echo was sent until it was back.");

    private static readonly Metric ClockError = new(
        Measured.ClockError, MetricKind.Durations, "How far the offset of the clocks may be off.")
    { Statistics = ["p50", "max"] };

    private static readonly Metric Negatives = new("negatives", MetricKind.Counter, "Values below zero.")
    { HasShare = false };

    private static readonly Metric BelowFloor = new(
        "below-floor", MetricKind.Counter, "Values below the floor that was given.")
    { HasShare = false };

    public static IReadOnlyList<Metric> All { get; } =
        [ForwardFromIntended, Forward, BackFromIntended, Back, ClockError, Negatives, BelowFloor];

    public static ThresholdReading? Read(Threshold threshold, IReadOnlyList<OneWayPair> pairs)
    {
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

    private static ThresholdReading Read(OneWayPair pair, Threshold threshold)
    {
        var reading = Value(pair, threshold);
        var isMeasured = reading.HasEnoughSamples && threshold.Statistic != ThresholdStatistic.Count;
        return isMeasured && (pair.Grade is OneWayGrade.F or null)
            ? reading with { Error = double.PositiveInfinity }
            : reading;
    }

    private static ThresholdReading Value(OneWayPair pair, Threshold threshold)
    {
        if (threshold.Metric == Negatives.Name)
            return new ThresholdReading(pair.Series.Sum(series => series.Negatives));
        if (threshold.Metric == BelowFloor.Name)
            return new ThresholdReading(pair.Series.Sum(series => series.BelowFloor ?? 0));
        if (threshold.Metric == ClockError.Name)
        {
            var isWorst = threshold.Statistic == ThresholdStatistic.Max;
            return (isWorst ? pair.Offset?.ErrorWorstNs : pair.Offset?.ErrorMedianNs) is { } error
                ? new ThresholdReading(error)
                : new ThresholdReading(0) { Error = double.PositiveInfinity };
        }

        var own = pair.Series.FirstOrDefault(series => series.Name == threshold.Metric);
        // Without an echo the Consumer tells count, mean, least and largest.
        return own is { Count: > 0, Percentiles.Count: 0 } && threshold.SeriesStatistic.Percentile is not null
            ? new ThresholdReading(double.NaN) { Because = "without an echo only the Consumer knows it: ask it there" }
            : ThresholdReading.Of(own, threshold.SeriesStatistic);
    }

    private static Metric Series(string name, string help) =>
        new(name, MetricKind.Durations, help) { IsSummary = true };
}
