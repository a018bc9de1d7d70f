namespace RedisLatency.Workloads.Engine;

internal enum ErrorPolicy
{
    Count,

    /// <summary>The run stops; what is in flight is still awaited.</summary>
    Stop,

    /// <summary>Again, with the same key, where the error may pass (LOADING, BUSY, …); the last one counts.</summary>
    Retry,
}
