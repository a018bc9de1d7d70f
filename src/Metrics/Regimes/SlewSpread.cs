namespace RedisLatency.Metrics.Regimes;

/// <summary>How far the sampled slews of the two clocks spread, in parts per million.</summary>
internal readonly record struct SlewSpread((double Low, double High)? Producer, (double Low, double High)? Consumer)
{
    public double LargestPpm => Math.Max(Width(Producer), Width(Consumer));

    /// <summary>How far the offset's rate spreads by them.</summary>
    public double TotalPpm => Width(Producer) + Width(Consumer);

    public SlewSpread Including((double Low, double High)? producer, (double Low, double High)? consumer) =>
        new(Join(Producer, producer), Join(Consumer, consumer));

    private static (double Low, double High)? Join((double Low, double High)? one, (double Low, double High)? other) =>
        one is var (low, high) && other is var (otherLow, otherHigh)
            ? (Math.Min(low, otherLow), Math.Max(high, otherHigh))
            : one ?? other;

    private static double Width((double Low, double High)? range) => range is var (low, high) ? high - low : 0;
}
