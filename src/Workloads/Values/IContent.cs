using RedisLatency.Workloads.Distributions;

namespace RedisLatency.Workloads.Values;

/// <summary>What values are made of. Has no state that changes: all threads may share one.</summary>
internal interface IContent
{
    /// <summary>Whether every value of the same length is the same, so that it need be written only once.</summary>
    bool IsConstant { get; }

    bool CanVerify { get; }

    /// <summary>Makes the value of a key. Allocates nothing.</summary>
    void Fill(long key, RandomSource random, Span<byte> value);

    /// <summary>Whether a value of this length for this key could have been made by <see cref="Fill"/>.</summary>
    bool Verify(long key, ReadOnlySpan<byte> value);
}
