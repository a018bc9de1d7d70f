namespace RedisLatency.Workloads.Commands;

/// <summary>
/// What the placeholders of commands stand for, and how operations are chosen: one worker's source of keys, values and
/// randomness. One per worker, used by its thread alone; nothing may be allocated per draw.
/// </summary>
internal abstract class CommandInputs
{
    /// <summary>The longest key in bytes.</summary>
    public abstract int MaximumKeyLength { get; }

    /// <summary>The longest value in bytes.</summary>
    public abstract int MaximumValueLength { get; }

    /// <summary>Draws the number of a key.</summary>
    /// <param name="stream">Which of the workload's key streams: reads may follow another than inserts.</param>
    public abstract long NextKey(int stream);

    /// <summary>Writes a key; returns its length.</summary>
    public abstract int WriteKey(long key, Span<byte> destination);

    /// <summary>Writes a value for a key; returns its length.</summary>
    public abstract int WriteValue(long key, Span<byte> destination);

    /// <summary>Draws 64 random bits.</summary>
    public abstract ulong NextRandom();

    /// <summary>Whether a value that was read is one that this workload wrote under the key.</summary>
    public virtual bool IsExpected(long key, ReadOnlySpan<byte> value) => true;

    /// <summary>Whether the key was there before the run began: that it is missing is a fault.</summary>
    public virtual bool IsLoaded(long key) => false;

    /// <summary>
    /// An operation on the key has ended, well or not, and will not be tried again: what grows with inserts may grow.
    /// </summary>
    public virtual void Settle(int stream, long key)
    {
    }
}
