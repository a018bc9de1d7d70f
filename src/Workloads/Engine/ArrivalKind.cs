namespace RedisLatency.Workloads.Engine;

internal enum ArrivalKind
{
    Uniform,

    /// <summary>Exponential times between operations: independent users, with the bursts that they make.</summary>
    Poisson,

    /// <summary>Several at once, then a pause that makes up for it.</summary>
    Burst,
}
