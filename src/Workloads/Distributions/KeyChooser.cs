namespace RedisLatency.Workloads.Distributions;

/// <summary>One worker's keys by index, on one thread; no draw allocates. All workers agree on popular keys.</summary>
internal abstract class KeyChooser
{
    /// <summary>Draws in this worker's part of a first pass over every key once; null for random keys.</summary>
    public virtual long? FirstPass => null;

    public abstract long Next(RandomSource random);

    /// <summary>All up to this one may be drawn from now on; an index below one told before changes nothing.</summary>
    public abstract void Grow(long lastAcknowledged);
}
