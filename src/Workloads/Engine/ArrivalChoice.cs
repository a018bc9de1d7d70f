namespace RedisLatency.Workloads.Engine;

/// <summary>How the times of operations are spread, and how many of a burst are due at once.</summary>
internal sealed record ArrivalChoice(ArrivalKind Kind, int BurstSize = 10)
{
    public static ArrivalChoice Uniform { get; } = new(ArrivalKind.Uniform);
}
