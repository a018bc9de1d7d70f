namespace RedisLatency.Workloads.Totals;

/// <summary>What a reply that is an error leads to.</summary>
internal enum ErrorPolicy
{
    /// <summary>It is counted by its code, and the run goes on.</summary>
    Count,

    /// <summary>The run stops; what is in flight is still awaited.</summary>
    Stop,

    /// <summary>
    /// The operation is sent again, with the same key, where the error may pass (LOADING, BUSY, READONLY, …); its
    /// latency goes on. The last error counts.
    /// </summary>
    Retry,
}
