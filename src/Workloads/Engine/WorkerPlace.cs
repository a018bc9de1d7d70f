namespace RedisLatency.Workloads.Engine;

/// <summary>
/// Which worker of how many, from 0, and its share of the measured operations; null where the time decides.
/// </summary>
internal readonly record struct WorkerPlace(int Worker, int Workers, long? Operations = null)
{
    /// <summary>
    /// A worker's share of a whole: as many as the partitioned keys of that worker, where those are the whole.
    /// </summary>
    public static long Share(long whole, int worker, int workers) =>
        (long)(((Int128)whole * (worker + 1) / workers) - ((Int128)whole * worker / workers));
}
