namespace RedisLatency.Metrics.Histograms;

/// <summary>
/// Counts values that may be negative, as one-way latency is where the clocks' offset is not known well enough:
/// negative ones by their magnitude in a histogram of their own, so that none is dropped, folded or clamped.
/// </summary>
/// <param name="values">Takes the values from 0 upwards.</param>
/// <param name="negatives">Takes the magnitudes of the negative values.</param>
public sealed partial class SignedLatencyHistogram(LatencyHistogram values, LatencyHistogram negatives)
    : IEquatable<SignedLatencyHistogram>
{
    /// <summary>The values from 0 upwards.</summary>
    public LatencyHistogram Values { get; } = values;

    /// <summary>The magnitudes of the negative values.</summary>
    public LatencyHistogram Negatives { get; } = negatives;

    /// <summary>How many values were counted within the range, of either sign.</summary>
    public long TotalCount => Values.TotalCount + Negatives.TotalCount;

    /// <summary>Both with the suite's own range.</summary>
    public static SignedLatencyHistogram ForLatency() =>
        new(LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency());

    /// <summary>Counts a value.</summary>
    public void Record(long value)
    {
        if (value >= 0)
            Values.Record(value);
        else
            Negatives.Record(Magnitude(value));
    }

    /// <summary>Counts everything that another one has counted.</summary>
    public void Add(SignedLatencyHistogram other)
    {
        ArgumentNullException.ThrowIfNull(other);
        Values.Add(other.Values);
        Negatives.Add(other.Negatives);
    }

    /// <summary>Forgets everything that was recorded.</summary>
    public void Reset()
    {
        Values.Reset();
        Negatives.Reset();
    }

    /// <summary>An equal pair of its own.</summary>
    public SignedLatencyHistogram Copy() => new(Values.Copy(), Negatives.Copy());

    /// <inheritdoc/>
    public bool Equals(SignedLatencyHistogram? other) =>
        other is not null && Values.Equals(other.Values) && Negatives.Equals(other.Negatives);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as SignedLatencyHistogram);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Values, Negatives);

    // The magnitude of the smallest long is not a long; one less is out of every range as well.
    internal static long Magnitude(long negative) => negative == long.MinValue ? long.MaxValue : -negative;
}
