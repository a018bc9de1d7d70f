using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

public class ZigZagLeb128Tests
{
    [Fact]
    public void TryRead_OfWhatWasWritten_IsTheNumber()
    {
        var buffer = new byte[ZigZagLeb128.MaxLength];
        for (var bits = 0; bits < 64; bits++)
        {
            foreach (var number in (long[])[1L << bits, -(1L << bits), (1L << bits) - 1, ~(1L << bits)])
            {
                var length = ZigZagLeb128.Write(buffer, number);
                ReadOnlySpan<byte> written = buffer.AsSpan(0, length);
                ZigZagLeb128.TryRead(ref written, out var read).ShouldBeTrue();
                read.ShouldBe(number);
                written.Length.ShouldBe(0);

                ReadOnlySpan<byte> cut = buffer.AsSpan(0, length - 1);
                ZigZagLeb128.TryRead(ref cut, out _).ShouldBeFalse();
            }
        }
    }

    [Theory]
    [InlineData(0, new byte[] { 0 })]
    [InlineData(-1, new byte[] { 1 })]
    [InlineData(63, new byte[] { 126 })]
    [InlineData(64, new byte[] { 128, 1 })]
    [InlineData(-64, new byte[] { 127 })]
    [InlineData(long.MinValue, new byte[] { 255, 255, 255, 255, 255, 255, 255, 255, 255 })]
    public void Write_GivesSevenBitsAByte(long number, byte[] expected)
    {
        var buffer = new byte[ZigZagLeb128.MaxLength];

        buffer[..ZigZagLeb128.Write(buffer, number)].ShouldBe(expected);
    }
}
