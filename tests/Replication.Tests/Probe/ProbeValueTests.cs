using System.Text;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Tests.Probe;

public class ProbeValueTests
{
    [Theory]
    [InlineData(1UL, 0, 0, 1)]
    [InlineData(ulong.MaxValue, 9_999_999, 123_456_789_012_345, long.MaxValue)]
    public void TryRead_OfWhatWasWritten_GivesIt(ulong session, long sequence, long intended, long sent)
    {
        var value = new byte[128];

        ProbeValue.Write(value, session, sequence, intended, sent);

        ProbeValue.TryRead(value, out var session2, out var sequence2, out var intended2, out var sent2).ShouldBeTrue();
        (session2, sequence2, intended2, sent2).ShouldBe((session, sequence, intended, sent));
        Encoding.ASCII.GetString(value)[ProbeValue.Length..].ShouldBe(new string('.', 128 - ProbeValue.Length));
    }

    [Fact]
    public void TryRead_OfAnAlteredValue_IsFalse()
    {
        var value = new byte[ProbeValue.Length];
        ProbeValue.Write(value, 0x0123_4567_89ab_cdef, 12, 34, 56);

        for (var bit = 0; bit < 8 * value.Length; bit++)
        {
            // A digit's case says nothing.
            if (bit % 8 == 5 && char.IsAsciiHexDigit((char)value[bit / 8]))
                continue;
            value[bit / 8] ^= (byte)(1 << (bit % 8));
            ProbeValue.TryRead(value, out _, out _, out _, out _).ShouldBeFalse($"bit {bit}");
            value[bit / 8] ^= (byte)(1 << (bit % 8));
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("1700000000000")]
    [InlineData("rl1 0000000000000001 0000000000000002 0000000000000003 000000000000000")]
    [InlineData("rl1 0000000000000001 0000000000000002 0000000000000003 000000000000000g")]
    [InlineData("rl1-0000000000000001-0000000000000002-0000000000000003-0000000000000004")]
    [InlineData("rl2 0000000000000001 0000000000000002 0000000000000003 0000000000000004")]
    public void TryRead_OfForeignValues_IsFalse(string text) =>
        ProbeValue.TryRead(Encoding.ASCII.GetBytes(text), out _, out _, out _, out _).ShouldBeFalse();
}
