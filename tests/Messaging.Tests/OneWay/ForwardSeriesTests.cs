using RedisLatency.Messaging.Frames;
using RedisLatency.Messaging.OneWay;

namespace RedisLatency.Messaging.Tests.OneWay;

public sealed class ForwardSeriesTests
{
    private const long Second = OneWayWorld.Second;
    private const ulong Self = 7;
    private const ulong Producer = 100;

    private readonly OneWayWorld _world = new() { SkewPpm = 30, OffsetNs = 5 * Second };
    private readonly ForwardFeed _feed = new(1 << 13);

    [Fact]
    public void Series_OfWhatWasTold_IsThePlantedDelay()
    {
        using var series = new ForwardSeries(new ForwardOptions(), [_feed]);
        Receive(Producer, 0, 2_000);
        Tell(Producer, isLast: false, 0, 1);
        series.Take(0);
        series.Interval.Count.ShouldBe(2_000);
        series.Interval.MeanNs.ShouldBe(40_000, 2);
        _feed.TryGetFigures(Producer, out _).ShouldBeFalse();

        Receive(Producer, 2 * Second, 500);
        series.Take(0);
        series.Interval.Count.ShouldBe(0);
        Tell(Producer, isLast: true, 2);
        series.Take(0);

        series.Total.Count.ShouldBe(2_500);
        _feed.TryGetFigures(Producer, out var figures).ShouldBeTrue();
        (figures.Received, figures.Corrected, figures.Negatives).ShouldBe((2_500, 2_500, 0));
        figures.MeanNs.ShouldBe(40_000, 2);
    }

    [Fact]
    public void Series_WhereAFrameIsLost_KnowsItsWindowsFromTheNext()
    {
        using var series = new ForwardSeries(new ForwardOptions(), [_feed]);
        Receive(Producer, 0, 5_000);
        Tell(Producer, isLast: false, 0);
        Tell(Producer, isLast: true, 0, 1, 2, 3, 4, 5);
        series.Take(0);
        series.Total.Count.ShouldBe(5_000);
        series.Producers.Single().NotCorrected.ShouldBe(0);
    }

    [Fact]
    public void Series_OfSeveralProducers_TakesEachByItsOwnOffset()
    {
        using var series = new ForwardSeries(new ForwardOptions(), [_feed]);
        var other = new OneWayWorld { OffsetNs = 3 * Second };
        Receive(Producer, 0, 100);
        Receive(Producer + 1, Second / 2, 100, other);
        Tell(Producer, isLast: true, 0, 1);
        series.Take(0);
        series.Total.Count.ShouldBe(100);

        Tell(Producer + 1, isLast: true, other, 0, 1);
        series.Take(0);
        series.Total.Count.ShouldBe(200);
        series.Total.MeanNs.ShouldBe(40_000, 2);
        (_feed.TryGetFigures(Producer, out var one), _feed.TryGetFigures(Producer + 1, out var two))
            .ShouldBe((true, true));
        (one.Received, two.Received).ShouldBe((100, 100));
    }

    [Fact]
    public void Offset_ThatIsForAnotherConsumerOrBroken_ChangesNothing()
    {
        using var series = new ForwardSeries(new ForwardOptions(), [_feed]);
        Receive(Producer, 0, 10);
        var payload = PayloadOf(_world, isLast: true, 0);
        _feed.TryTakeOffset(Header(Producer), payload, Self + 1).ShouldBeTrue();
        _feed.TryTakeOffset(Header(Producer), payload.AsSpan(1), Self).ShouldBeFalse();
        series.Take(0);
        series.Total.Count.ShouldBe(0);
        series.Producers.Single().IsComplete.ShouldBeFalse();
    }

    [Fact]
    public void Producer_ThatFallsSilent_IsGivenUpAndItsMessagesCounted()
    {
        using var series = new ForwardSeries(new ForwardOptions(), [_feed]);
        Receive(Producer, 0, 10);
        series.Take(0);
        series.Take(59 * Second);
        series.Producers.Single().IsComplete.ShouldBeFalse();
        series.Take(61 * Second);
        series.Producers.Single().IsComplete.ShouldBeTrue();
        series.Producers.Single().NotCorrected.ShouldBe(10);
    }

    [Fact]
    public void MessagesAfterTheirProducerWasGivenUp_AreNoneOfOthers()
    {
        using var series = new ForwardSeries(new ForwardOptions(), [_feed]);
        Receive(Producer, 0, 10);
        series.Take(0);
        series.Take(61 * Second);
        Receive(Producer, 1_000_000, 3);
        series.Take(62 * Second);
        (series.Expired, series.Unserved).ShouldBe((3, 0));
    }

    [Fact]
    public void Producers_BeyondTheLimit_AreCountedAlone()
    {
        using var series = new ForwardSeries(new ForwardOptions { MostProducers = 2 }, [_feed]);
        for (ulong producer = 0; producer < 5; producer++)
            Receive(producer, (long)producer * 1_000_000, 10);
        series.Take(0);
        (series.Producers.Count, series.Unserved).ShouldBe((2, 30));
    }

    [Fact]
    public void Feed_OfMessagesAndOffsets_AllocatesNothing()
    {
        var payload = PayloadOf(_world, isLast: false, 0, 1, 2);
        Use(payload);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 100; i++)
            Use(payload);
        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
    }

    private static FrameHeader Header(ulong producer) => new()
    {
        Kind = MessageKind.Message,
        Flags = FrameFlags.OffsetFollows,
        Stream = 0,
        Run = 1,
        Producer = producer,
        Sequence = 0,
        Intended = 0,
        Sent = 0,
        Received = 0,
        Echoed = 0,
        EchoInstance = 0,
    };

    private void Use(byte[] payload)
    {
        for (var i = 0; i < 10; i++)
            _feed.Take(Header(Producer), 1_000);
        _feed.TryTakeOffset(Header(Producer), payload, Self);
    }

    // A message a millisecond, each 40 µs under way.
    private void Receive(ulong producer, long startNs, int messages, OneWayWorld? world = null)
    {
        for (var i = 0; i < messages; i++)
        {
            var stamps = (world ?? _world).Message(startNs + (i * 1_000_000L), 40_000, 0, 0);
            var header = Header(producer) with { Sequence = i, Intended = stamps.Intended, Sent = stamps.Sent };
            _feed.Take(header, stamps.Received);
        }

        _feed.Overflowed.ShouldBe(0);
    }

    private void Tell(ulong producer, bool isLast, params int[] seconds) => Tell(producer, isLast, _world, seconds);

    private void Tell(ulong producer, bool isLast, OneWayWorld world, params int[] seconds) =>
        _feed.TryTakeOffset(Header(producer), PayloadOf(world, isLast, seconds), Self).ShouldBeTrue();

    private static byte[] PayloadOf(OneWayWorld world, bool isLast, params int[] seconds)
    {
        var windows = seconds.Select(at => PublishedWindow.Of(world.Window(at * Second, (at + 1) * Second))).ToArray();
        var payload = new byte[OffsetPayload.MaxLength];
        return payload[..OffsetPayload.Write(payload, Self, isLast, windows)];
    }
}
