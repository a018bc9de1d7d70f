namespace RedisLatency.Workloads.Rates;

/// <summary>A stretch of an open loop's rate.</summary>
/// <param name="From">Operations per second at its beginning, over all threads.</param>
/// <param name="To">Operations per second at its end; between, the rate changes evenly.</param>
/// <param name="Duration">How long it lasts; the last stretch goes on with its end's rate.</param>
internal sealed record RateStep(double From, double To, TimeSpan Duration)
{
    /// <summary>One rate for the whole run.</summary>
    public static IReadOnlyList<RateStep> Constant(double rate) => [new RateStep(rate, rate, TimeSpan.Zero)];
}
