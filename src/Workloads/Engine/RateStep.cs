namespace RedisLatency.Workloads.Engine;

/// <summary>Operations per second over all threads, changing evenly; the last stretch goes on with its end's.</summary>
internal sealed record RateStep(double From, double To, TimeSpan Duration)
{
    public static IReadOnlyList<RateStep> Constant(double rate) => [new RateStep(rate, rate, TimeSpan.Zero)];
}
