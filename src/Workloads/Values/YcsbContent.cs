using System.Buffers.Binary;
using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Values;

/// <summary>YCSB 0.18, <c>site.ycsb.RandomByteIterator</c>: six printable bytes of 32 bits, not remembered.</summary>
internal sealed class YcsbContent : Content
{
    private const int BytesPerWord = 6;

    public override void Fill(long key, RandomSource random, Span<byte> value)
    {
        while (value.Length >= BytesPerWord + sizeof(ulong))
        {
            var words = random.NextUInt64();
            BinaryPrimitives.WriteUInt64LittleEndian(value, Printable((uint)(words >> 32)));
            BinaryPrimitives.WriteUInt64LittleEndian(value[BytesPerWord..], Printable((uint)words));
            value = value[(2 * BytesPerWord)..];
        }

        while (!value.IsEmpty)
        {
            var printable = Printable((uint)(random.NextUInt64() >> 32));
            var bytes = Math.Min(BytesPerWord, value.Length);
            for (var index = 0; index < bytes; index++, printable >>= 8)
                value[index] = (byte)printable;
            value = value[bytes..];
        }
    }

    public override bool Verify(long key, ReadOnlySpan<byte> value) =>
        !value.ContainsAnyExceptInRange((byte)' ', (byte)127);

    /// <summary>The six bytes that YCSB makes of an <c>int</c>, the first one lowest.</summary>
    internal static ulong Printable(uint word) =>
        0x2020_2020_2020UL
        + ((word & 31UL)
            | ((word >> 5) & 63UL) << 8
            | ((word >> 10) & 95UL) << 16
            | ((word >> 15) & 31UL) << 24
            | ((word >> 20) & 63UL) << 32
            | ((word >> 25) & 95UL) << 40);
}

/// <summary>redis-benchmark's and valkey-benchmark's (<c>genBenchmarkRandomData</c>): congruential from 1234.</summary>
internal sealed class RedisBenchmarkContent : Content
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

    public override bool IsConstant => true;

    public override void Fill(long key, RandomSource random, Span<byte> value) =>
        _bytes.AsSpan(0, value.Length).CopyTo(value);

    public override bool Verify(long key, ReadOnlySpan<byte> value) =>
        value.Length <= _bytes.Length && value.SequenceEqual(_bytes.AsSpan(0, value.Length));
}
