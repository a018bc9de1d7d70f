using System.Buffers.Binary;
using RedisLatency.Messaging.OneWay;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Messaging.Tests.OneWay;

public sealed class OffsetPayloadTests
{
    private static readonly PublishedWindow Window = new(
        1_000, 2_000, 1_500, -123_456_789, 45, -12.5, 1_100, OffsetBreak.Step, IsProven: true);

    [Theory]
    [InlineData(0, true)]
    [InlineData(1, false)]
    [InlineData(OffsetPayload.MostWindows, true)]
    public void Read_OfWhatWasWritten_GivesEveryField(int windows, bool isLast)
    {
        var told = Enumerable.Range(0, windows).Select(i => Window with { OffsetNs = i, IsSynthetic = i % 2 == 1 }).ToArray();
        var payload = Written(told, isLast);

        var read = new PublishedWindow[OffsetPayload.MostWindows];
        OffsetPayload.TryRead(payload, out var instance, out var saysLast, read, out var count).ShouldBeTrue();
        (instance, saysLast, count).ShouldBe((77ul, isLast, windows));
        read.AsSpan(0, count).ToArray().ShouldBe(told);
    }

    [Fact]
    public void Payload_LiesInBytesAsDocumented()
    {
        var payload = Written([Window], isLast: true);
        Convert.ToHexStringLower(payload).ShouldBe(
            "01" + "01" + "0100" + "00000000" + "4d00000000000000"
            + "e803000000000000" + "d007000000000000" + "dc05000000000000" + "eb32a4f8ffffffff" + "2d00000000000000"
            + "00000000000029c0" + "0000000000309140" + "02" + "01" + "000000000000");
    }

    [Fact]
    public void Read_OfEveryOtherLength_IsRefused()
    {
        var payload = Written([Window, Window], isLast: false);
        var read = new PublishedWindow[OffsetPayload.MostWindows];
        for (var length = 0; length < payload.Length; length++)
            OffsetPayload.TryRead(payload.AsSpan(0, length), out _, out _, read, out _).ShouldBeFalse($"{length}");
        OffsetPayload.TryRead([.. payload, 0], out _, out _, read, out _).ShouldBeFalse();
    }

    [Fact]
    public void Read_OfAnImpossibleWindow_IsRefused()
    {
        PublishedWindow[] impossible =
        [
            Window with { EndNs = Window.StartNs },
            Window with { ReferenceNs = Window.EndNs + 1 },
            Window with { StartNs = -1 },
            Window with { ErrorNs = -1 },
            Window with { SkewPpm = double.NaN },
            Window with { SkewPpm = double.PositiveInfinity },
            Window with { DriftPpm = double.NaN },
            Window with { DriftPpm = -1 },
            Window with { Break = (OffsetBreak)99 },
        ];
        var read = new PublishedWindow[OffsetPayload.MostWindows];
        foreach (var window in impossible)
        {
            OffsetPayload.TryRead(Written([window], isLast: false), out _, out _, read, out _)
                .ShouldBeFalse(window.ToString());
        }
    }

    [Fact]
    public void Read_OfAnotherVersionOrTooManyWindows_IsRefused()
    {
        var read = new PublishedWindow[OffsetPayload.MostWindows];
        var payload = Written([Window], isLast: false);
        payload[0] = 2;
        OffsetPayload.TryRead(payload, out _, out _, read, out _).ShouldBeFalse();

        var many = new byte[16 + (64 * 17)];
        many[0] = 1;
        BinaryPrimitives.WriteUInt16LittleEndian(many.AsSpan(2), 17);
        OffsetPayload.TryRead(many, out _, out _, read, out _).ShouldBeFalse();
    }

    [Fact]
    public void Window_ThatWasTold_IsTheLineWithItsLargestBoundThroughout()
    {
        var window = Window.ToWindow();
        window.OffsetAt(1_500).ShouldBe(-123_456_789);
        window.ErrorAt(1_000).ShouldBe(45);
        window.ErrorNs.ShouldBe(45);
        PublishedWindow.Of(window).ShouldBe(Window);
    }

    [Fact]
    public void Figures_ThereAndBack_AreTheSame()
    {
        var figures = new ForwardFigures(10, 9, 2, 12.5, -3.25, -7, long.MaxValue, 4_321, 1);
        var payload = new byte[ForwardFigures.Length];
        figures.Write(payload);
        ForwardFigures.TryRead(payload, out var read).ShouldBeTrue();
        read.ShouldBe(figures);
        ForwardFigures.TryRead(payload.AsSpan(1), out _).ShouldBeFalse();
        payload[0]++;
        ForwardFigures.TryRead(payload, out _).ShouldBeFalse();
    }

    private static byte[] Written(PublishedWindow[] windows, bool isLast)
    {
        var payload = new byte[OffsetPayload.MaxLength];
        return payload[..OffsetPayload.Write(payload, 77, isLast, windows)];
    }
}
