using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Metrics.Results.Records.OneWay;

/// <summary>
/// The order statistics of values of either sign: the negative ones come first, the largest magnitude before all.
/// </summary>
internal sealed class SignedRanks(SignedLatencyHistogram histogram)
{
    private const int SamplesAbove = 10;
    private const double NormalQuantile = 1.959963984540054;

    private long Count => histogram.TotalCount;

    public long? Min => Count == 0 ? null : histogram.Min;

    public long? Max => Count == 0 ? null : histogram.Max;

    public double? Mean => Count == 0 ? null : histogram.Mean;

    /// <summary>A percentile with its sampling interval, by the rules of <see cref="PercentileRow"/>.</summary>
    public PercentileRow Row(double percentile)
    {
        if (Count * (100 - (decimal)percentile) < SamplesAbove * 100)
            return new PercentileRow(percentile, null, null, null);
        var share = percentile / 100;
        var halfWidth = NormalQuantile * Math.Sqrt(Count * share * (1 - share));
        var rank = Math.Clamp((long)Math.Ceiling(Math.BitDecrement(percentile) / 100 * Count), 1, Count);
        var lower = Math.Clamp((long)Math.Floor((Count * share) - halfWidth), 1, Count);
        var upper = Math.Clamp((long)Math.Ceiling((Count * share) + halfWidth), 1, Count);
        return new PercentileRow(
            percentile,
            histogram.HighestAtRank(rank),
            histogram.LowestAtRank(lower),
            histogram.HighestAtRank(upper));
    }
}
