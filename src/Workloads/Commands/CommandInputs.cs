using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Commands;

/// <summary>One worker's source of keys, values and randomness, for its thread alone. No draw may allocate.</summary>
internal abstract class CommandInputs
{
    public abstract int MaximumKeyLength { get; }

    public abstract int MaximumValueLength { get; }

    /// <summary>From one of the workload's streams: reads may follow another than inserts.</summary>
    public abstract long NextKey(int stream);

    /// <summary>A further key of a command that has this one; of the same slot where keys have tags of slots.</summary>
    public virtual long NextKeyBeside(long key, int stream) => NextKey(stream);

    public abstract int WriteKey(long key, Span<byte> destination);

    public abstract int WriteValue(long key, Span<byte> destination);

    public abstract ulong NextRandom();

    /// <summary>Those that operations' keys take turns in, where they have tags of slots.</summary>
    public virtual ClusterTags Tags => ClusterTags.All;

    public virtual int MaximumFieldLength => 0;

    /// <summary>The name of one of the record's fields.</summary>
    public virtual int WriteField(Span<byte> destination) => 0;

    /// <summary>Whether keys of a stream come in a sequence for each connection.</summary>
    public virtual bool IsByConnection => false;

    /// <summary>What is drawn next is for this connection, from 0.</summary>
    public virtual void UseConnection(int connection)
    {
    }

    public virtual bool IsExpected(long key, ReadOnlySpan<byte> value) => true;

    /// <summary>Whether the key was there before the run began: that it is missing is a fault.</summary>
    public virtual bool IsLoaded(long key) => false;

    /// <summary>An operation on the key has ended, well or not, for good: what grows with inserts may grow.</summary>
    public virtual void Settle(int stream, long key)
    {
    }
}
