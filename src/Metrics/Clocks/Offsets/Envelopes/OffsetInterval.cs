namespace RedisLatency.Metrics.Clocks.Offsets.Envelopes;

/// <summary>All that an offset may be, in nanoseconds from the tracker's base.</summary>
internal readonly record struct OffsetInterval(double Low, double High)
{
    /// <summary>Nothing is known.</summary>
    public static OffsetInterval Everything { get; } = new(double.NegativeInfinity, double.PositiveInfinity);

    public bool IsEmpty => Low > High;

    public double Middle => (Low + High) / 2;

    public OffsetInterval Intersect(OffsetInterval other) => new(Math.Max(Low, other.Low), Math.Min(High, other.High));

    public OffsetInterval Unite(OffsetInterval other) => new(Math.Min(Low, other.Low), Math.Max(High, other.High));

    public OffsetInterval Grow(double by) => new(Low - by, High + by);

    /// <summary>The ends in order: an empty interval lies between them.</summary>
    public OffsetInterval Ordered() => IsEmpty ? new OffsetInterval(High, Low) : this;
}
