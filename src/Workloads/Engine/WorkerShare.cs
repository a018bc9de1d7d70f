using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Engine;

/// <summary>Which worker of how many, from 0, and its measured operations; null where the time decides.</summary>
internal readonly record struct WorkerShare(int Worker, int Workers, long? Operations = null, int Connections = 1)
{
    // Those of the cluster's own slots that keys have; null for those of all.
    public ClusterTags? Tags { get; init; }

    // As many as the partitioned keys of that worker, where those are the whole.
    public static long Share(long whole, int worker, int workers) =>
        (long)(((Int128)whole * (worker + 1) / workers) - ((Int128)whole * worker / workers));
}
