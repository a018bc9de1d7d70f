using System.Buffers.Binary;
using RedisLatency.Workloads.Distributions;

namespace RedisLatency.Workloads.Values;

/// <summary>YCSB 0.18, <c>site.ycsb.RandomByteIterator</c>: six printable bytes of 32 bits, not remembered.</summary>
internal sealed class YcsbContent : IContent
{
    private const int BytesPerWord = 6;

    public bool IsConstant => false;

    public bool CanVerify => false;

    public void Fill(long key, RandomSource random, Span<byte> value)
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

    public bool Verify(long key, ReadOnlySpan<byte> value) => !value.ContainsAnyExceptInRange((byte)' ', (byte)127);

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
