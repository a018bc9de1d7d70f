namespace RedisLatency.Workloads.Engine;

/// <summary>Which worker of how many.</summary>
/// <param name="Worker">From 0.</param>
/// <param name="Workers">How many there are.</param>
/// <param name="Operations">How many measured operations are its share; null where the time decides.</param>
internal readonly record struct WorkerPlace(int Worker, int Workers, long? Operations = null)
{
    /// <summary>
    /// A worker's share of a whole: as many as the partitioned keys of that worker, where those are the whole.
    /// </summary>
    public static long Share(long whole, int worker, int workers) =>
        (long)(((Int128)whole * (worker + 1) / workers) - ((Int128)whole * worker / workers));
}
