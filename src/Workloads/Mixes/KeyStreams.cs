namespace RedisLatency.Workloads.Mixes;

/// <summary>Which operations of a mix take their keys in one sequence.</summary>
internal enum KeyStreams
{
    /// <summary>
    /// Each operation has its own, as memtier_benchmark has it: what one draws does not move the others on.
    /// </summary>
    Own,

    /// <summary>All take turns in one, as YCSB's do.</summary>
    Shared,
}
