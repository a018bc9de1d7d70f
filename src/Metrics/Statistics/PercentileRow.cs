using System.Diagnostics.CodeAnalysis;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Statistics;

/// <summary>A percentile, if there are enough samples to tell it: at least ten must lie above it.</summary>
/// <param name="Percentile">0 to 100, exclusive.</param>
/// <param name="Value">In the histogram's unit, the highest equivalent; null where there are too few samples.</param>
/// <param name="Lower">Where the 95 % interval begins, the lowest equivalent; null as <paramref name="Value"/>.</param>
/// <param name="Upper">Where the 95 % interval ends, the highest equivalent; null as <paramref name="Value"/>.</param>
/// <remarks>
/// The interval is the order-statistic one, ranks np ± 1.96·√(np(1−p)), free of any assumption about the distribution
/// but valid only <em>if the samples are independent</em>. Latencies are autocorrelated (a queue or a pause delays
/// neighbours together), so show it under that label.
/// </remarks>
public sealed record PercentileRow(double Percentile, long? Value, long? Lower, long? Upper)
{
    private const int SamplesAbove = 10;
    private const double NormalQuantile = 1.959963984540054;

    /// <summary>Whether there are enough samples to show the percentile.</summary>
    [MemberNotNullWhen(true, nameof(Value), nameof(Lower), nameof(Upper))]
    public bool HasEnoughSamples => Value is not null;

    /// <summary>The row of a percentile.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The percentile is not between 0 and 100.</exception>
    public static PercentileRow Of(LatencyHistogram histogram, double percentile)
    {
        ArgumentNullException.ThrowIfNull(histogram);
        if (!TryRanksOf(histogram.TotalCount, percentile, out var lowerRank, out var upperRank))
            return new PercentileRow(percentile, null, null, null);
        ref readonly var layout = ref histogram.Layout;
        return new PercentileRow(
            percentile,
            histogram.ValueAtPercentile(percentile),
            layout.LowestAt(histogram.IndexAtRank(lowerRank)),
            layout.HighestAt(histogram.IndexAtRank(upperRank)));
    }

    /// <summary>The row of a percentile of values of either sign.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The percentile is not between 0 and 100.</exception>
    public static PercentileRow Of(SignedLatencyHistogram histogram, double percentile)
    {
        ArgumentNullException.ThrowIfNull(histogram);
        return TryRanksOf(histogram.TotalCount, percentile, out var lowerRank, out var upperRank)
            ? new PercentileRow(
                percentile,
                histogram.ValueAtPercentile(percentile),
                histogram.LowestAtRank(lowerRank),
                histogram.HighestAtRank(upperRank))
            : new PercentileRow(percentile, null, null, null);
    }

    private static bool TryRanksOf(long count, double percentile, out long lowerRank, out long upperRank)
    {
        ArgumentOutOfRangeException.ThrowIfLessThanOrEqual(percentile, 0);
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual(percentile, 100);
        lowerRank = upperRank = 0;

        // In decimal, because 100,000 samples must be enough for 99.99 and in binary are not.
        if (count * (100 - (decimal)percentile) < SamplesAbove * 100)
            return false;

        var share = percentile / 100;
        var halfWidth = NormalQuantile * Math.Sqrt(count * share * (1 - share));
        lowerRank = Math.Clamp((long)Math.Floor((count * share) - halfWidth), 1, count);
        upperRank = Math.Clamp((long)Math.Ceiling((count * share) + halfWidth), 1, count);
        return true;
    }
}
