namespace RedisLatency.Metrics.Histograms;

public sealed partial class LatencyHistogram : IEquatable<LatencyHistogram>
{
    /// <summary>Whether both have the same range and digits and have counted the same, out of range too.</summary>
    public bool Equals(LatencyHistogram? other) =>
        other is not null
        && LowestDiscernible == other.LowestDiscernible
        && HighestTrackable == other.HighestTrackable
        && SignificantDigits == other.SignificantDigits
        && TotalCount == other.TotalCount
        && AboveRange == other.AboveRange
        && BelowRange == other.BelowRange
        && (Missing, MissingAtLeast) == (other.Missing, other.MissingAtLeast)
        && Counts.SequenceEqual(other.Counts);

    /// <inheritdoc/>
    public override bool Equals(object? obj) => Equals(obj as LatencyHistogram);

    /// <summary>Of what never changes: range and digits.</summary>
    public override int GetHashCode() => HashCode.Combine(LowestDiscernible, HighestTrackable, SignificantDigits);
}
