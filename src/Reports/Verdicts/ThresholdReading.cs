using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.Verdicts;

/// <summary>The value a threshold is held against.</summary>
/// <param name="Value">In the threshold's unit; NaN where there is none.</param>
/// <param name="HasEnoughSamples">Whether enough samples lie above the percentile to state it.</param>
public readonly record struct ThresholdReading(double Value, bool HasEnoughSamples = true)
{
    private static readonly ThresholdReading Negative = new(double.NaN)
    {
        Because = "not known, because values were negative: the clocks are not known so well",
    };

    /// <summary>
    /// How many samples are missing that could make the value larger: it is a lower bound then. Zero where none could.
    /// </summary>
    public long Missing { get; init; }

    /// <summary>
    /// How far the value may be from the truth, either way, in its unit: a threshold that not all of these values hold,
    /// nor all miss, cannot be decided. Infinite where nothing is known.
    /// </summary>
    public double Error { get; init; }

    /// <summary>Whether all values within the error are as good as the one in their middle.</summary>
    public bool IsInterval { get; init; }

    /// <summary>Why it is not known, as a sentence's end; null where the other properties say it.</summary>
    public string? Because { get; init; }

    /// <summary>A statistic of a series, as far as it has samples enough to tell it.</summary>
    public static ThresholdReading Of(LatencyHistogram histogram, ThresholdStatistic statistic)
    {
        if (statistic == ThresholdStatistic.Count)
            return new ThresholdReading(histogram.TotalCount);
        var isMax = statistic == ThresholdStatistic.Max;
        if (histogram.TotalCount == 0)
        {
            if (histogram.BelowRange > 0 && histogram.Beyond == 0)
                return Negative;
            // Of nothing but missing samples it is known that each took some time.
            return histogram.Beyond > 0
                ? new ThresholdReading(isMax ? histogram.MissingAtLeast : 0) { Missing = histogram.Beyond }
                : new ThresholdReading(double.NaN, HasEnoughSamples: false);
        }

        if (statistic.Percentile is { } percentile)
        {
            var row = PercentileRow.Of(histogram, percentile);
            return row.Unknown == UnknownPercentile.Negative ? Negative
                : row.Unknown == UnknownPercentile.MissingSamples
                ? new ThresholdReading(histogram.Max) { Missing = histogram.Beyond }
                : new ThresholdReading(row.Value ?? double.NaN, row.IsKnown);
        }

        if (histogram.BelowRange > 0 && !isMax)
            return Negative;
        return statistic == ThresholdStatistic.Min
            ? new ThresholdReading(histogram.Min)
            : new ThresholdReading(isMax ? Math.Max(histogram.Max, histogram.MissingAtLeast) : histogram.Mean)
            {
                Missing = histogram.Beyond,
            };
    }

    /// <summary>A statistic of a one-way series with its error; none where there is no series.</summary>
    public static ThresholdReading Of(OneWaySeries? series, ThresholdStatistic statistic)
    {
        if (series is null || series.Count == 0)
            return new ThresholdReading(double.NaN, HasEnoughSamples: false);
        if (statistic == ThresholdStatistic.Count)
            return new ThresholdReading(series.Count);
        double? value = statistic.Percentile is { } percentile
            ? series.Percentiles.At(percentile)?.Value
            : statistic == ThresholdStatistic.Min ? series.Min
            : statistic == ThresholdStatistic.Max ? series.Max
            : series.Mean;
        if (value is null && series.Missing > 0)
            return new ThresholdReading(double.NegativeInfinity) { Missing = series.Missing };
        return new ThresholdReading(value ?? double.NaN, value is not null) { Error = series.ErrorNs };
    }

    /// <summary>A statistic of values that are known as intervals: it lies between those of their two ends.</summary>
    /// <param name="lower">The least that they may be.</param>
    /// <param name="upper">The most that they may be.</param>
    /// <param name="statistic">Which.</param>
    /// <param name="errorNs">How far both ends may be off besides.</param>
    public static ThresholdReading Between(
        LatencyHistogram lower, LatencyHistogram upper, ThresholdStatistic statistic, long errorNs = 0)
    {
        var least = Of(lower, statistic);
        var most = Of(upper, statistic);
        // What is missing has no upper end: only the least is proven.
        if (Math.Max(least.Missing, most.Missing) is var missing and > 0)
            return new ThresholdReading(least.Value - errorNs, least.HasEnoughSamples) { Missing = missing };
        return new ThresholdReading((least.Value + most.Value) / 2, least.HasEnoughSamples && most.HasEnoughSamples)
        {
            Error = ((most.Value - least.Value) / 2) + errorNs,
            IsInterval = true,
            Because = least.Because ?? most.Because,
        };
    }
}
