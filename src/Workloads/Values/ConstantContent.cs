using RedisLatency.Workloads.Distributions;

namespace RedisLatency.Workloads.Values;

/// <summary>Every byte an <c>x</c>, as memtier sends without <c>--random-data</c>.</summary>
internal sealed class ConstantContent : IContent
{
    private const byte Filler = (byte)'x';

    public bool IsConstant => true;

    public bool CanVerify => true;

    public void Fill(long key, RandomSource random, Span<byte> value) => value.Fill(Filler);

    public bool Verify(long key, ReadOnlySpan<byte> value) => !value.ContainsAnyExcept(Filler);
}
