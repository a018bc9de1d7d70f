namespace RedisLatency.Metrics.Histograms;

/// <summary>
/// Counts values that may be negative, as one-way latency is where the clocks' offset is not known well enough:
/// negative ones by their magnitude in a histogram of their own, so that none is dropped, folded or clamped.
/// </summary>
/// <param name="values">Takes the values from 0 upwards.</param>
/// <param name="negatives">Takes the magnitudes of the negative values.</param>
public sealed class SignedLatencyHistogram(LatencyHistogram values, LatencyHistogram negatives)
    : IEquatable<SignedLatencyHistogram>
{
    public LatencyHistogram Values { get; } = values;
    public LatencyHistogram Negatives { get; } = negatives;

    /// <summary>How many values were counted within the range, of either sign.</summary>
    public long TotalCount => Values.TotalCount + Negatives.TotalCount;

    public static SignedLatencyHistogram ForLatency() =>
        new(LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency());

    public void Record(long value)
    {
        if (value >= 0)
            Values.Record(value);
        else
            Negatives.Record(Magnitude(value));
    }

    public void Add(SignedLatencyHistogram other)
    {
        ArgumentNullException.ThrowIfNull(other);
        Values.Add(other.Values);
        Negatives.Add(other.Negatives);
    }

    public void Reset()
    {
        Values.Reset();
        Negatives.Reset();
    }

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

    internal long HighestAtRank(long rank) => rank <= Negatives.TotalCount
        ? -Negatives.Layout.LowestAt(IndexOfNegative(rank))
        : Values.Layout.HighestAt(Values.IndexAtRank(rank - Negatives.TotalCount));

    public bool Equals(SignedLatencyHistogram? other) =>
        other is not null && Values.Equals(other.Values) && Negatives.Equals(other.Negatives);

    public override bool Equals(object? obj) => Equals(obj as SignedLatencyHistogram);

    public override int GetHashCode() => HashCode.Combine(Values, Negatives);

    // The smallest of all is the negative one of the largest magnitude.
    private int IndexOfNegative(long rank) => Negatives.IndexAtRank(Negatives.TotalCount - rank + 1);

    // The magnitude of the smallest long is not a long; one less is out of every range as well.
    internal static long Magnitude(long negative) => negative == long.MinValue ? long.MaxValue : -negative;
}
