using System.IO.Compression;
using System.Text;
using RedisLatency.Messaging.Frames;

namespace RedisLatency.Messaging.Tests.Frames;

public sealed class PayloadTests
{
    [Fact]
    public void Bytes_CannotBeCompressed()
    {
        var payload = new PayloadBytes(new PayloadSize(100_000, 100_000), seed: 1).Next();
        using var target = new MemoryStream();
        using (var deflate = new DeflateStream(target, CompressionLevel.SmallestSize, leaveOpen: true))
            deflate.Write(payload);
        target.Length.ShouldBeGreaterThan(99_000);
    }

    [Fact]
    public void Bytes_OfARange_TakeEveryLengthInIt()
    {
        var payloads = new PayloadBytes(new PayloadSize(3, 6), seed: 1);
        var lengths = new HashSet<int>();
        for (var i = 0; i < 1_000; i++)
            lengths.Add(payloads.Next().Length);
        lengths.Order().ShouldBe([3, 4, 5, 6]);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(999)]
    [InlineData(long.MaxValue)]
    public void Counter_IsReadAsItWasWritten(long count)
    {
        var bytes = new byte[CounterPayload.MaxLength];
        var length = CounterPayload.Write(bytes, count);
        CounterPayload.TryRead(bytes.AsSpan(0, length), out var read).ShouldBeTrue();
        read.ShouldBe(count);
    }

    [Theory]
    [InlineData("")]
    [InlineData("-1")]
    [InlineData("+1")]
    [InlineData(" 1")]
    [InlineData("1 ")]
    [InlineData("1.0")]
    [InlineData("0123")]
    [InlineData("00")]
    [InlineData("0x1")]
    [InlineData("RLAT")]
    [InlineData("9223372036854775808")]
    [InlineData("99999999999999999999")]
    public void Counter_OfAnythingElse_IsNone(string text) =>
        CounterPayload.TryRead(Encoding.ASCII.GetBytes(text), out _).ShouldBeFalse();
}
