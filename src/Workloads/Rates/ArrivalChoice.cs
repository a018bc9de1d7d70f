namespace RedisLatency.Workloads.Rates;

/// <summary>How the times of an open loop are spread.</summary>
/// <param name="Kind">Evenly, at random or in bursts.</param>
/// <param name="BurstSize">How many come at once, in bursts.</param>
internal sealed record ArrivalChoice(Arrival Kind, int BurstSize = 10)
{
    /// <summary>Evenly.</summary>
    public static ArrivalChoice Uniform { get; } = new(Arrival.Uniform);
}
