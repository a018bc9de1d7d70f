namespace RedisLatency.Workloads.Commands;

/// <summary>Which operations of a mix take their keys in one sequence.</summary>
internal enum KeyStreams
{
    /// <summary>As memtier_benchmark: what one operation draws does not move the others on.</summary>
    Own,

    /// <summary>All take turns in one, as YCSB's do.</summary>
    Shared,
}
