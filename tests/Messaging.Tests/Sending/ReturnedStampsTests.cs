using RedisLatency.Messaging.Frames;
using RedisLatency.Messaging.OneWay;
using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Messaging.Tests.Sending;

/// <summary>What a sender hands on of the messages that return.</summary>
public sealed class ReturnedStampsTests
{
    private static readonly SenderOptions Options = new()
    {
        Run = 1,
        Producer = 2,
        Stream = 3,
        Rate = 50_000,
        MaxInFlight = 1_000,
        ReceiveDeadline = TimeSpan.FromMilliseconds(300),
    };

    [Fact]
    public void Stamps_OfEveryConsumersFirstCopies_AreHandedOnOnce()
    {
        var (sender, stamps) = Run(Options, 500, (lane, frame) =>
        {
            lane.Echo(frame, instance: 5);
            lane.Echo(frame, instance: 9);
            lane.Echo(frame, instance: 5);
        }, 5, 9);

        using (sender)
        {
            sender.Counts.Duplicated.ShouldBe(500);
            stamps.Count.ShouldBe(1_000);
            foreach (var consumer in new ulong[] { 5, 9 })
            {
                stamps.Where(message => message.Peer == consumer).Select(message => message.Sequence)
                    .ShouldBe(Enumerable.Range(0, 500).Select(i => (long)i));
            }

            stamps.ShouldAllBe(message => message.Stream == 3 && message.Sent >= message.Intended
                && message.Echoed - message.Received == 1_000 && message.Returned >= message.Sent);
        }
    }

    [Fact]
    public void Stamps_OfReorderedAndLateMessages_AreHandedOnAsTheyCome()
    {
        byte[]? held = null;
        var (sender, stamps) = Run(Options with { Rate = 1_000 }, 600, (lane, frame) =>
        {
            if (SequenceOf(frame) == 5)
                held = frame;
            else
                lane.Echo(frame);
            if (SequenceOf(frame) == 599)
                lane.Echo(held!);
        });

        using (sender)
        {
            (sender.Counts.Late, sender.Counts.Reordered).ShouldBe((1, 1));
            stamps.Count.ShouldBe(600);
            stamps[^1].Sequence.ShouldBe(5);
            (stamps[^1].Returned - stamps[^1].Sent).ShouldBeGreaterThan(300_000_000);
        }
    }

    [Theory]
    [InlineData(0, 0)]
    [InlineData(-5, 10)]
    [InlineData(1_000, 999)]
    [InlineData(1_000, 4_000_000_000_000)]
    [InlineData(long.MaxValue, long.MinValue)]
    public void Stamps_ThatNoClockGave_AreCountedApartAndTheRoundTripMeasured(long received, long echoed)
    {
        var (sender, stamps) = Run(Options, 400, (lane, frame) =>
        {
            if (SequenceOf(frame) % 4 == 0)
                FrameEcho.Stamp(frame, ScriptedLane.Consumer, received, echoed);
            else
                FrameEcho.Stamp(frame, ScriptedLane.Consumer, 1_000_000, 1_000_100);
            lane.Reply(frame);
        });

        using (sender)
        {
            sender.Counts.Garbage.ShouldBe(100);
            sender.Counts.Returned.ShouldBe(400);
            sender.Ledgers.Single().Count(400).Lost.ShouldBe(0);
            Recorded(sender.Series.RoundTrip).TotalCount.ShouldBe(400);
            Recorded(sender.Series.RoundTripFromIntended).TotalCount.ShouldBe(400);
            var residence = Recorded(sender.Series.Residence);
            (residence.TotalCount, residence.BelowRange, residence.AboveRange).ShouldBe((300, 0, 0));
            Recorded(sender.Series.Network).TotalCount.ShouldBe(300);
            stamps.Count.ShouldBe(300);
        }
    }

    [Fact]
    public void Stamps_ThatFindNoRoom_AreCounted()
    {
        var ring = new StampRing(64);
        using var sender = Sender(Options, (lane, frame) => lane.Echo(frame));
        sender.Run(Phase(500, ring), CancellationToken.None);
        sender.Drain(CancellationToken.None);

        sender.Counts.Returned.ShouldBe(500);
        ring.Overflowed.ShouldBe(436);
        ring.Take(new MessageStamps[500]).ShouldBe(64);
    }

    [Fact]
    public void NoEcho_SaysSoAndWaitsForNothing()
    {
        var flags = new List<FrameFlags>();
        var (sender, stamps) = Run(Options with { NoEcho = true, MaxInFlight = 1, OffsetFollows = true }, 500,
            (lane, frame) =>
            {
                FrameReader.Read(frame, out var header).ShouldBe(FrameDefect.None);
                flags.Add(header.Flags);
            });

        using (sender)
        {
            flags.ShouldAllBe(flag => flag == (FrameFlags.NoEcho | FrameFlags.OffsetFollows));
            (sender.Counts.Sent, sender.Counts.Unsent, sender.Counts.LimitHits).ShouldBe((500, 0, 0));
            (sender.Counts.InFlight, sender.Counts.Returned).ShouldBe((0, 0));
            sender.Ledgers.ShouldBeEmpty();
            stamps.ShouldBeEmpty();
        }
    }

    [Fact]
    public void NoEcho_WhereAConsumerAnswersAllTheSame_CountsItsAnswersAsForeign()
    {
        var (sender, stamps) = Run(Options with { NoEcho = true }, 200, (lane, frame) => lane.Echo(frame));
        using (sender)
        {
            sender.Counts.Foreign.ShouldBe(200);
            (sender.Counts.Returned, stamps.Count).ShouldBe((0, 0));
        }
    }

    [Theory]
    [InlineData(0, false)]
    [InlineData(100, true)]
    public void NoEcho_WhereSomethingMustComeBack_IsRefused(double rate, bool isCounter) =>
        Should.Throw<ArgumentException>(
            () => Sender(Options with { NoEcho = true, Rate = rate, IsCounter = isCounter }, (_, _) => { }));

    private static (StreamSender Sender, List<MessageStamps> Stamps) Run(
        SenderOptions options, long messages, Action<ScriptedLane, byte[]> consumer, params ulong[] consumers)
    {
        var ring = new StampRing(1 << 12);
        var sender = Sender(options, consumer);
        var phase = Phase(messages, ring);
        sender.Run(consumers is [] ? phase : phase with { Consumers = consumers }, CancellationToken.None);
        sender.Drain(CancellationToken.None);
        var buffer = new MessageStamps[ring.Capacity];
        return (sender, [.. buffer.Take(ring.Take(buffer))]);
    }

    private static StreamSender Sender(SenderOptions options, Action<ScriptedLane, byte[]> consumer)
    {
        var sender = new StreamSender(options, () => new ScriptedLane((lane, bytes) =>
        {
            if (bytes[5] == (byte)MessageKind.Message)
                consumer(lane, bytes);
            else
                lane.Echo(bytes);
        }));
        sender.Connect();
        return sender;
    }

    private static StreamPhase Phase(long messages, StampRing ring) => new()
    {
        IsWarmUp = false,
        Limit = new StreamLimit(messages, null),
        Start = MonotonicClock.NowNs(),
        Consumers = [ScriptedLane.Consumer],
        Stamps = ring,
    };

    private static long SequenceOf(byte[] frame)
    {
        FrameReader.Read(frame, out var header).ShouldBe(FrameDefect.None);
        return header.Sequence;
    }

    private static LatencyHistogram Recorded(LatencyRecorder recorder)
    {
        var histogram = LatencyHistogram.ForLatency();
        recorder.TakeInterval(histogram);
        return histogram;
    }
}
