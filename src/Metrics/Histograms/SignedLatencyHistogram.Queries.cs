namespace RedisLatency.Metrics.Histograms;

/// <content>What the values of both signs together say, in ascending order.</content>
public sealed partial class SignedLatencyHistogram
{
    /// <summary>The lowest value that counts as one with the smallest recorded; 0 without values.</summary>
    public long Min => Negatives.TotalCount > 0 ? -Negatives.Max : Values.Min;

    /// <summary>The highest value that counts as one with the largest recorded; 0 without values.</summary>
    public long Max => Values.TotalCount > 0 ? Values.Max : -Negatives.Min;

    /// <summary>The mean of the values, each taken as the middle of its equivalents; 0 without values.</summary>
    public double Mean => TotalCount == 0
        ? 0
        : ((Values.Mean * Values.TotalCount) - (Negatives.Mean * Negatives.TotalCount)) / TotalCount;

    /// <summary>The standard deviation of the values, taken as for <see cref="Mean"/>; 0 without values.</summary>
    public double StandardDeviation
    {
        get
        {
            var mean = Mean;
            var squares = 0.0;
            foreach (var recorded in Values.RecordedValues)
                squares += (recorded.Median - mean) * (recorded.Median - mean) * recorded.Count;
            foreach (var recorded in Negatives.RecordedValues)
                squares += (recorded.Median + mean) * (recorded.Median + mean) * recorded.Count;
            return TotalCount == 0 ? 0 : Math.Sqrt(squares / TotalCount);
        }
    }

    /// <summary>
    /// The highest equivalent of the smallest value that at least this share of all values does not exceed, as
    /// <see cref="LatencyHistogram.ValueAtPercentile"/>; negative where the value there is.
    /// </summary>
    /// <param name="percentile">0 to 100; what lies outside is taken as the nearer end.</param>
    public long ValueAtPercentile(double percentile)
    {
        if (TotalCount == 0)
            return 0;
        var share = Math.Clamp(Math.BitDecrement(percentile), 0, 100);
        var rank = Math.Max((long)Math.Ceiling(share * TotalCount / 100), 1);
        return percentile == 0 ? LowestAtRank(rank) : HighestAtRank(rank);
    }

    /// <summary>The lowest equivalent of the value with a rank, 1 being the smallest of all.</summary>
    internal long LowestAtRank(long rank) => rank <= Negatives.TotalCount
        ? -Negatives.Layout.HighestAt(IndexOfNegative(rank))
        : Values.Layout.LowestAt(Values.IndexAtRank(rank - Negatives.TotalCount));

    /// <summary>The highest equivalent of the value with a rank, 1 being the smallest of all.</summary>
    internal long HighestAtRank(long rank) => rank <= Negatives.TotalCount
        ? -Negatives.Layout.LowestAt(IndexOfNegative(rank))
        : Values.Layout.HighestAt(Values.IndexAtRank(rank - Negatives.TotalCount));

    // The smallest of all is the negative one of the largest magnitude.
    private int IndexOfNegative(long rank) => Negatives.IndexAtRank(Negatives.TotalCount - rank + 1);
}
