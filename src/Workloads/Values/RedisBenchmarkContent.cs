using RedisLatency.Workloads.Distributions;

namespace RedisLatency.Workloads.Values;

/// <summary>redis-benchmark's and valkey-benchmark's (<c>genBenchmarkRandomData</c>): congruential from 1234.</summary>
internal sealed class RedisBenchmarkContent : IContent
{
    private readonly byte[] _bytes;

    public RedisBenchmarkContent(int longest)
    {
        _bytes = new byte[longest];
        var state = 1234u;
        foreach (ref var value in _bytes.AsSpan())
        {
            state = (state * 1103515245) + 12345;
            value = (byte)('0' + ((state >> 16) & 63));
        }
    }

    public bool IsConstant => true;

    public bool CanVerify => true;

    public void Fill(long key, RandomSource random, Span<byte> value) => _bytes.AsSpan(0, value.Length).CopyTo(value);

    public bool Verify(long key, ReadOnlySpan<byte> value) =>
        value.Length <= _bytes.Length && value.SequenceEqual(_bytes.AsSpan(0, value.Length));
}
