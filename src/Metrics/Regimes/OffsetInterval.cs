namespace RedisLatency.Metrics.Regimes;

/// <summary>All that an offset may be, in nanoseconds from the tracker's base.</summary>
internal readonly record struct OffsetInterval(double Low, double High)
{
    public static OffsetInterval Everything { get; } = new(double.NegativeInfinity, double.PositiveInfinity);

    public bool IsEmpty => Low > High;

    public bool IsBounded => double.IsFinite(Low) && double.IsFinite(High);

    /// <summary>Negative where it is empty.</summary>
    public double Width => High - Low;

    public double Middle => (Low + High) / 2;

    public OffsetInterval Intersect(OffsetInterval other) => new(Math.Max(Low, other.Low), Math.Min(High, other.High));

    public OffsetInterval Unite(OffsetInterval other) => new(Math.Min(Low, other.Low), Math.Max(High, other.High));

    public OffsetInterval Grow(double by) => new(Low - by, High + by);

    public OffsetInterval Shift(double by) => new(Low + by, High + by);

    /// <summary>
    /// Widened by all that it falls short of a round trip, at both ends: whatever made it shorter, each probe as quick
    /// as that is then inside with its own interval.
    /// </summary>
    public OffsetInterval GrowTo(double roundTripNs) => Width < roundTripNs ? Grow(roundTripNs - Width) : this;
}
