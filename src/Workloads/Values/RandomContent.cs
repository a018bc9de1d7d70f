using RedisLatency.Workloads.Distributions;

namespace RedisLatency.Workloads.Values;

/// <summary>
/// Random bytes, anew for every request: nothing that compresses or removes duplicates makes them smaller.
/// </summary>
internal sealed class RandomContent : IContent
{
    /// <inheritdoc/>
    public bool IsConstant => false;

    /// <inheritdoc/>
    public bool CanVerify => false;

    /// <inheritdoc/>
    public void Fill(long key, RandomSource random, Span<byte> value) => random.Fill(value);

    /// <inheritdoc/>
    public bool Verify(long key, ReadOnlySpan<byte> value) => true;
}
