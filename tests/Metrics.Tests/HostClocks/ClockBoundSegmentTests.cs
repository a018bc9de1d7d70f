using System.Buffers.Binary;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Tests.Machine;

namespace RedisLatency.Metrics.Tests.HostClocks;

public sealed class ClockBoundSegmentTests : IDisposable
{
    private const long AsOf = 1_000_500_000_000;
    private const long Now = AsOf + 2_000_000_000;

    private readonly HostFixture _host = new();
    private readonly byte[] _segment = new byte[ClockBoundSegment.Length];

    public ClockBoundSegmentTests()
    {
        // As a writer on a little-endian machine leaves it (clock-bound-shm/src/shm_header.rs).
        BinaryPrimitives.WriteUInt32LittleEndian(_segment, 0x414D5A4E);
        BinaryPrimitives.WriteUInt32LittleEndian(_segment.AsSpan(4), 0x43420200);
        BinaryPrimitives.WriteUInt32LittleEndian(_segment.AsSpan(8), 80);
        BinaryPrimitives.WriteUInt16LittleEndian(_segment.AsSpan(12), 2);
        BinaryPrimitives.WriteUInt16LittleEndian(_segment.AsSpan(14), 42);
        SetTime(16, AsOf);
        SetTime(32, AsOf + 1_000_000_000_000);
        BinaryPrimitives.WriteInt64LittleEndian(_segment.AsSpan(48), 120_000);
        BinaryPrimitives.WriteUInt32LittleEndian(_segment.AsSpan(64), 50_000);
        SetStatus(1);
    }

    [Fact]
    public void Read_OfASynchronisedSegment_GrowsItsBoundByItsDriftToNow()
    {
        var claim = Read();

        claim.Refusal.ShouldBeNull();
        claim.ErrorNs.ShouldBe(120_000 + 100_000);
        claim.DriftPpm.ShouldBe(50);
        claim.Note.ShouldBeNull();
    }

    [Fact]
    public void Read_OfAFreeRunningClock_AcceptsAndSaysSo()
    {
        SetStatus(2);

        var claim = Read();

        claim.IsAccepted.ShouldBeTrue();
        claim.Note.ShouldNotBeNull().ShouldContain("runs free");
    }

    [Theory]
    [InlineData(0, "does not know")]
    [InlineData(3, "disrupted")]
    [InlineData(9, "does not know")]
    public void Read_OfAClockWithoutABound_IsRefused(int status, string reason)
    {
        SetStatus(status);

        Refusal().ShouldContain(reason);
    }

    [Fact]
    public void Read_AfterTheBoundIsVoid_IsRefused()
    {
        SetTime(32, Now);

        Refusal().ShouldContain("void");
    }

    [Fact]
    public void Read_OfAStampAhead_IsRefusedAsAnotherClock()
    {
        SetTime(16, Now + 50_000_000);

        Refusal().ShouldContain("time namespace");
    }

    [Theory]
    [InlineData(0, "no segment")]
    [InlineData(7, "no segment")]
    [InlineData(12, "version")]
    public void Read_OfSomethingElse_IsRefused(int broken, string reason)
    {
        _segment[broken] ^= 0xFF;

        Refusal().ShouldContain(reason);
    }

    [Fact]
    public void Read_WhileItIsWritten_IsRefused()
    {
        _segment[14] = 43;

        Refusal().ShouldContain("half written");
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    [InlineData(long.MaxValue)]
    public void Read_OfABoundThatIsNone_IsRefused(long bound)
    {
        BinaryPrimitives.WriteInt64LittleEndian(_segment.AsSpan(48), bound);

        Refusal().ShouldContain("bound is none");
    }

    [Fact]
    public void Read_OfAHostileTime_DoesNotOverflow()
    {
        BinaryPrimitives.WriteInt64LittleEndian(_segment.AsSpan(16), long.MinValue);
        BinaryPrimitives.WriteInt64LittleEndian(_segment.AsSpan(32), long.MaxValue);

        Should.NotThrow(Read);
    }

    [Fact]
    public void Read_CutAtEveryByte_IsRefused()
    {
        for (var length = 0; length < ClockBoundSegment.Length; length++)
            ReadFirst(length).Refusal.ShouldNotBeNull().ShouldContain("cut short");
    }

    [Fact]
    public void Read_WithoutTheFile_IsRefusedAsNotRunning() =>
        new ClockBoundSegment(new HostFiles(_host.Root)).Read(Now).Refusal.ShouldBe("ClockBound is not running");

    public void Dispose() => _host.Dispose();

    private string Refusal()
    {
        var claim = Read();
        claim.IsAccepted.ShouldBeFalse();
        return claim.Refusal!;
    }

    private UtcClaim Read() => ReadFirst(_segment.Length);

    private UtcClaim ReadFirst(int length)
    {
        var path = Path.Combine(_host.Root, ClockBoundSegment.FilePath);
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        File.WriteAllBytes(path, _segment[..length]);
        return new ClockBoundSegment(new HostFiles(_host.Root)).Read(Now);
    }

    private void SetTime(int offset, long ns)
    {
        BinaryPrimitives.WriteInt64LittleEndian(_segment.AsSpan(offset), ns / 1_000_000_000);
        BinaryPrimitives.WriteInt64LittleEndian(_segment.AsSpan(offset + 8), ns % 1_000_000_000);
    }

    private void SetStatus(int status) =>
        BinaryPrimitives.WriteInt32LittleEndian(_segment.AsSpan(68), status);
}
