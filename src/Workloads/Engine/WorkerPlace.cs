namespace RedisLatency.Workloads.Engine;

/// <summary>Which worker of how many.</summary>
/// <param name="Worker">From 0.</param>
/// <param name="Workers">How many there are.</param>
/// <param name="Operations">How many measured operations are its share; null where the time decides.</param>
public readonly record struct WorkerPlace(int Worker, int Workers, long? Operations = null)
{
    /// <summary>A worker's share of a whole; the first ones have one more where it does not come out even.</summary>
    public static long Share(long whole, int worker, int workers) =>
        (whole / workers) + (worker < whole % workers ? 1 : 0);
}
