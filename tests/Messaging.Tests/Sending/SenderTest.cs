using RedisLatency.Messaging.Frames;
using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Redis;

namespace RedisLatency.Messaging.Tests.Sending;

/// <summary>Runs of a sender whose consumer is a script.</summary>
internal static class SenderTest
{
    internal static SenderOptions Options { get; } = new()
    {
        Run = 1,
        Producer = 2,
        Stream = 0,
        Rate = 100_000,
        MaxInFlight = 1_000,
        ReceiveDeadline = TimeSpan.FromMilliseconds(500),
    };

    internal static StreamSender Run(
        SenderOptions options, long messages, Action<ScriptedLane, byte[]> consumer, params ulong[] consumers)
    {
        var sender = new StreamSender(options, () => new ScriptedLane((lane, bytes) =>
        {
            if (options.IsCounter || bytes[5] == (byte)MessageKind.Message)
                consumer(lane, bytes);
            else
                lane.Echo(bytes);
        }));
        sender.Connect();
        ulong[] usual = [options.IsCounter ? 0 : ScriptedLane.Consumer];
        sender.Run(Phase(messages) with { Consumers = consumers is [] ? usual : consumers }, CancellationToken.None);
        sender.Drain(CancellationToken.None);
        return sender;
    }

    /// <summary>Opens a lane that breaks with message 10, and none after it.</summary>
    internal static Func<ScriptedLane> LaneThatBreaksForGood()
    {
        var isFirst = true;
        return () =>
        {
            if (!isFirst)
                throw new RedisConnectionLostException("Nobody listens there.");
            isFirst = false;
            return new ScriptedLane((lane, frame) =>
            {
                lane.Echo(frame);
                lane.IsBroken |= frame[5] == (byte)MessageKind.Message && SequenceOf(frame) == 10;
            });
        };
    }

    internal static StreamPhase Phase(long messages) => new()
    {
        IsWarmUp = false,
        Limit = new StreamLimit(messages, null),
        Start = MonotonicClock.NowNs(),
        Consumers = [ScriptedLane.Consumer],
    };

    internal static StreamPhase FifthOfASecond() =>
        Phase(0) with { Limit = new StreamLimit(null, TimeSpan.FromMilliseconds(200)) };

    internal static long SequenceOf(byte[] frame)
    {
        FrameReader.Read(frame, out var header).ShouldBe(FrameDefect.None);
        return header.Sequence;
    }

    internal static LatencyHistogram Recorded(LatencyRecorder recorder)
    {
        var histogram = LatencyHistogram.ForLatency();
        recorder.TakeInterval(histogram);
        return histogram;
    }
}
