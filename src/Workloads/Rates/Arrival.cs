namespace RedisLatency.Workloads.Rates;

/// <summary>How the times of an open loop are spread.</summary>
internal enum Arrival
{
    /// <summary>The same time between any two operations, over all threads.</summary>
    Uniform,

    /// <summary>Exponential times between operations: independent users, with the bursts that they make.</summary>
    Poisson,

    /// <summary>Several at once, then a pause that makes up for it.</summary>
    Burst,
}
