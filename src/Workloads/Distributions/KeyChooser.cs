namespace RedisLatency.Workloads.Distributions;

/// <summary>
/// Chooses the keys of one worker, by index. It belongs to one thread; a draw allocates nothing. Choosers of the same
/// distribution and key space agree on which keys are popular, whichever worker they belong to.
/// </summary>
internal abstract class KeyChooser
{
    /// <summary>
    /// How many draws make this worker's part of the first pass: after it all workers together have drawn every key
    /// exactly once. Null where keys are drawn at random.
    /// </summary>
    public virtual long? FirstPass => null;

    public abstract long Next(RandomSource random);

    /// <summary>
    /// Tells that keys were added: all up to and including <paramref name="lastAcknowledged"/> may be drawn from now
    /// on. An index below one already told changes nothing.
    /// </summary>
    public abstract void Grow(long lastAcknowledged);
}
