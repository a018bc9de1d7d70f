using System.Text;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Tests.Probe;

public class ProbeValueTests
{
    private static readonly byte[] Key = "redislatency:delay:0123456789abcdef:12"u8.ToArray();

    [Theory]
    [InlineData(1UL, 0, 0, 1)]
    [InlineData(ulong.MaxValue, 9_999_999, 123_456_789_012_345, long.MaxValue)]
    public void TryRead_OfWhatWasWritten_GivesIt(ulong session, long sequence, long intended, long sent)
    {
        var value = new byte[128];

        ProbeValue.Write(value, Key, session, sequence, intended, sent);

        ProbeValue.TryRead(value, Key, out var session2, out var sequence2, out var intended2, out var sent2)
            .ShouldBeTrue();
        (session2, sequence2, intended2, sent2).ShouldBe((session, sequence, intended, sent));
        Encoding.ASCII.GetString(value)[ProbeValue.Length..].ShouldBe(new string('.', 128 - ProbeValue.Length));
    }

    [Fact]
    public void TryRead_OfAValueAlteredInAnyBit_IsFalse()
    {
        var value = Written(128);

        for (var bit = 0; bit < 8 * value.Length; bit++)
        {
            value[bit / 8] ^= (byte)(1 << (bit % 8));
            IsRead(value, Key).ShouldBeFalse($"bit {bit}");
            value[bit / 8] ^= (byte)(1 << (bit % 8));
        }

        IsRead(value, Key).ShouldBeTrue();
    }

    [Fact]
    public void TryRead_OfAValueCutOrLengthened_IsFalse()
    {
        var value = Written(128);

        for (var length = 0; length < value.Length; length++)
            IsRead(value.AsSpan(0, length), Key).ShouldBeFalse($"{length} bytes");
        IsRead([.. value, (byte)'.'], Key).ShouldBeFalse();
    }

    [Fact]
    public void TryRead_UnderAnotherKey_IsFalse() =>
        IsRead(Written(128), "redislatency:delay:0123456789abcdef:13"u8).ShouldBeFalse();

    [Theory]
    [InlineData("")]
    [InlineData("1700000000000")]
    [InlineData("rl1 0000000000000001 0000000000000002 0000000000000003 000000000000000")]
    [InlineData("rl1 0000000000000001 0000000000000002 0000000000000003 000000000000000g")]
    [InlineData("rl1-0000000000000001-0000000000000002-0000000000000003-0000000000000004")]
    [InlineData("rl2 0000000000000001 0000000000000002 0000000000000003 0000000000000004")]
    public void TryRead_OfForeignValues_IsFalse(string text) => IsRead(Encoding.ASCII.GetBytes(text), Key).ShouldBeFalse();

    private static byte[] Written(int length)
    {
        var value = new byte[length];
        ProbeValue.Write(value, Key, 0x0123_4567_89ab_cdef, 12, 34, 56);
        return value;
    }

    private static bool IsRead(ReadOnlySpan<byte> value, ReadOnlySpan<byte> key) =>
        ProbeValue.TryRead(value, key, out _, out _, out _, out _);
}
