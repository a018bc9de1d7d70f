namespace RedisLatency.Workloads.Engine;

/// <summary>
/// A step of a schedule: operations per second over all threads, from one rate evenly to another. The last step goes on
/// with its final rate.
/// </summary>
internal sealed record RateStep(double From, double To, TimeSpan Duration)
{
    public static IReadOnlyList<RateStep> Constant(double rate) => [new RateStep(rate, rate, TimeSpan.Zero)];
}
