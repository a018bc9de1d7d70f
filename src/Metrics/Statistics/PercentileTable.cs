using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Statistics;

/// <summary>What a histogram says, as far as it is known; all in the histogram's unit.</summary>
/// <param name="Count">Values within the range.</param>
/// <param name="AboveRange">Values above the range.</param>
/// <param name="BelowRange">Negative values; of either sign, those whose magnitude is above its range.</param>
/// <param name="Missing">Samples that never got a value: they count as slower than all others.</param>
/// <param name="Min">
/// The lowest equivalent of the smallest value; null without values, as the next three, and where one is below the
/// range.
/// </param>
/// <param name="Mean">The mean; null where a sample is missing or out of the range, as the next one.</param>
/// <param name="StandardDeviation">The standard deviation.</param>
/// <param name="Max">The highest equivalent of the largest value; null where one is missing or above the range.</param>
/// <param name="MaxAtLeast">
/// What the largest is at least, where it is known how long a missing sample took at least; null elsewhere.
/// </param>
/// <param name="Rows">The percentiles, ascending, those that are not known among them.</param>
public sealed record PercentileTable(
    long Count,
    long AboveRange,
    long BelowRange,
    long Missing,
    long? Min,
    double? Mean,
    double? StandardDeviation,
    long? Max,
    long? MaxAtLeast,
    IReadOnlyList<PercentileRow> Rows)
{
    /// <summary>Any percentile of the same samples, 0 to 100; null where it is not known.</summary>
    public required Func<double, long?> ValueAt { get; init; }

    /// <summary>The percentiles that the suite shows.</summary>
    public static IReadOnlyList<double> Percentiles { get; } = [50, 90, 99, 99.9, 99.99, 99.999];

    /// <summary>Those and the one that published tables of regions have.</summary>
    public static IReadOnlyList<double> BetweenRegions { get; } = With([95]);

    /// <summary>Those and others, ascending.</summary>
    public static IReadOnlyList<double> With(IEnumerable<double> others) => [.. Percentiles.Union(others).Order()];

    /// <summary>The table of a histogram.</summary>
    /// <param name="histogram">All samples.</param>
    /// <param name="blocks">The same samples in blocks; without them no percentile has an interval.</param>
    /// <param name="percentiles">Which; null for those that the suite shows.</param>
    public static PercentileTable Of(
        LatencyHistogram histogram, SampleBlocks? blocks = null, IReadOnlyList<double>? percentiles = null)
    {
        var (hasLeast, hasMost) = (histogram.BelowRange == 0, histogram.Beyond == 0);
        if (histogram.TotalCount == 0)
            (hasLeast, hasMost) = (false, false);
        return new PercentileTable(
            histogram.TotalCount,
            histogram.AboveRange,
            histogram.BelowRange,
            histogram.Missing,
            hasLeast ? histogram.Min : null,
            hasLeast && hasMost ? histogram.Mean : null,
            hasLeast && hasMost ? histogram.StandardDeviation : null,
            hasMost ? histogram.Max : null,
            histogram.MissingAtLeast > 0 ? Math.Max(histogram.MissingAtLeast, histogram.Max) : null,
            [.. (percentiles ?? Percentiles).Select(percentile => PercentileRow.Of(histogram, percentile, blocks))])
        {
            ValueAt = percentile => PercentileRow.Of(histogram, percentile).Value,
        };
    }

    /// <summary>The table of values of either sign: minimum, mean and percentiles may be negative.</summary>
    public static PercentileTable Of(
        SignedLatencyHistogram histogram, SampleBlocks? blocks = null, IReadOnlyList<double>? percentiles = null)
    {
        var isWhole = histogram.TotalCount > 0 && histogram.Values.Beyond == 0;
        return new PercentileTable(
            histogram.TotalCount,
            histogram.Values.AboveRange,
            histogram.Negatives.AboveRange,
            histogram.Values.Missing,
            histogram.TotalCount > 0 ? histogram.Min : null,
            isWhole ? histogram.Mean : null,
            isWhole ? histogram.StandardDeviation : null,
            isWhole ? histogram.Max : null,
            MaxAtLeast: null,
            [.. (percentiles ?? Percentiles).Select(percentile => PercentileRow.Of(histogram, percentile, blocks))])
        {
            ValueAt = percentile => PercentileRow.Of(histogram, percentile).Value,
        };
    }
}
