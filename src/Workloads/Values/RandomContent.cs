using RedisLatency.Workloads.Distributions;

namespace RedisLatency.Workloads.Values;

/// <summary>Random bytes, anew for every request: no compression or deduplication makes them smaller.</summary>
internal sealed class RandomContent : IContent
{
    public bool IsConstant => false;

    public bool CanVerify => false;

    public void Fill(long key, RandomSource random, Span<byte> value) => random.Fill(value);

    public bool Verify(long key, ReadOnlySpan<byte> value) => true;
}
