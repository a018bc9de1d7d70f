using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Values;

/// <summary>What values are made of. Has no state that changes: all threads may share one.</summary>
internal abstract class Content
{
    /// <summary>Whether every value of the same length is the same, so that it need be written only once.</summary>
    public virtual bool IsConstant => false;

    public virtual bool CanVerify => IsConstant;

    /// <summary>Makes the value of a key. Allocates nothing.</summary>
    public abstract void Fill(long key, RandomSource random, Span<byte> value);

    /// <summary>Whether a value of this length for this key could have been made by <see cref="Fill"/>.</summary>
    public abstract bool Verify(long key, ReadOnlySpan<byte> value);
}
