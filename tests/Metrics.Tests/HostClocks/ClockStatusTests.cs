using System.Buffers.Binary;
using RedisLatency.Metrics.HostClocks;

namespace RedisLatency.Metrics.Tests.HostClocks;

public class ClockStatusTests
{
    [Theory]
    [InlineData(1, -2, 3, 12.5, 4)]
    [InlineData(long.MaxValue, long.MinValue, -1, double.NaN, 0)]
    [InlineData(0, 0, long.MaxValue, -499_999.0, long.MaxValue)]
    public void Read_OfWhatWasWritten_IsTheSame(long at, long offset, long error, double rate, long suspended)
    {
        var status = new ClockStatus(at, offset, error, rate, suspended);
        Span<byte> bytes = stackalloc byte[ClockStatus.Length];

        status.Write(bytes);

        ClockStatus.Read(bytes).ShouldBe(status);
    }

    [Fact]
    public void Write_OfAStatus_HasItsBytesInTheAgreedOrder()
    {
        Span<byte> bytes = stackalloc byte[ClockStatus.Length];

        new ClockStatus(1, 2, 3, 0.5, 4).Write(bytes);

        Convert.ToHexString(bytes).ShouldBe(
            "0100000000000000" + "0200000000000000" + "0300000000000000" + "000000000000E03F" + "0400000000000000");
    }

    [Theory]
    [InlineData(-7, double.PositiveInfinity)]
    [InlineData(long.MinValue, -1e9)]
    public void Read_OfAPeersNonsense_IsNoBound(long error, double rate)
    {
        var bytes = new byte[ClockStatus.Length];
        BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(16), error);
        BinaryPrimitives.WriteDoubleLittleEndian(bytes.AsSpan(24), rate);

        var status = ClockStatus.Read(bytes);

        status.UtcErrorNs.ShouldBe(-1);
        status.RatePpm.ShouldBe(double.NaN);
    }

    [Fact]
    public void Write_AndRead_AllocateNothing()
    {
        var bytes = new byte[ClockStatus.Length];
        var status = ClockStatus.Unknown(5);
        status.Write(bytes);
        var before = GC.GetAllocatedBytesForCurrentThread();

        for (var i = 0; i < 100; i++)
        {
            status.Write(bytes);
            status = ClockStatus.Read(bytes);
        }

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
    }
}
