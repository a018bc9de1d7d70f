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

    public long? Min => Count == 0 ? null : LowestAt(1);

    public long? Max => Count == 0 ? null : HighestAt(Count);

    public double? Mean => Count == 0
        ? null
        : ((histogram.Values.Mean * histogram.Values.TotalCount)
            - (histogram.Negatives.Mean * histogram.Negatives.TotalCount)) / Count;

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
        return new PercentileRow(percentile, HighestAt(rank), LowestAt(lower), HighestAt(upper));
    }

    private long HighestAt(long rank) => Bucket(rank, out var index) is { } negative
        ? -negative.Layout.LowestAt(index)
        : histogram.Values.Layout.HighestAt(index);

    private long LowestAt(long rank) => Bucket(rank, out var index) is { } negative
        ? -negative.Layout.HighestAt(index)
        : histogram.Values.Layout.LowestAt(index);

    // The histogram of the negative values where the rank falls among them.
    private LatencyHistogram? Bucket(long rank, out int index)
    {
        var negatives = histogram.Negatives.TotalCount;
        var isNegative = rank <= negatives;
        index = isNegative
            ? histogram.Negatives.IndexAtRank(negatives - rank + 1)
            : histogram.Values.IndexAtRank(rank - negatives);
        return isNegative ? histogram.Negatives : null;
    }
}
