namespace RedisLatency.Workloads.Commands;

internal enum MixOrder
{
    /// <summary>Each drawn by its weight, as YCSB does.</summary>
    Random,

    /// <summary>In turn, each as often as its whole weight says, as memtier_benchmark does.</summary>
    Cyclic,
}
