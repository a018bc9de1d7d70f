using RedisLatency.Hosting.Targets;
using RedisLatency.Messaging.Frames;
using RedisLatency.Messaging.OneWay.Consumers;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Producer.Targets;
using RedisLatency.Redis;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Producer.OneWay;

/// <summary>
/// Tells consumers the offset of their clocks, so that they can make a forward series of their own, and asks them in the
/// end what it came to. What goes wrong here costs that comparison and nothing else.
/// </summary>
internal sealed class OffsetTeller(ResolvedTarget target, ProducerPlan plan) : IDisposable
{
    // They look at what they were told once a second.
    private const long AnswerLimitNs = 2_500_000_000;
    private const long AskAgainNs = 100_000_000;
    private const long OpenAgainNs = 5_000_000_000;

    private readonly byte[] _payload = new byte[OffsetPayload.MaxLength];
    private readonly FrameBuffer _frame = new(plan.RunNumber, plan.Producer, 0, OffsetPayload.MaxLength);
    private IPubSubLane? _lane;
    private long _openNs = long.MinValue;

    /// <summary>Tells one consumer of windows that are final.</summary>
    /// <param name="consumer">Whom.</param>
    /// <param name="windows">The latest, in order; those that it was told before may be among them.</param>
    /// <param name="isLast">Whether no more will come.</param>
    public void Tell(ulong consumer, ReadOnlySpan<ToldWindow> windows, bool isLast)
    {
        do
        {
            var part = windows[..Math.Min(windows.Length, OffsetPayload.MostWindows)];
            windows = windows[part.Length..];
            var length = OffsetPayload.Write(_payload, consumer, isLast && windows.IsEmpty, part);
            Publish(MessageKind.Offset, _payload.AsSpan(0, length));
        }
        while (!windows.IsEmpty);
    }

    /// <summary>Asks consumers what their own forward series came to; waits a while for each answer.</summary>
    /// <returns>Their answers; those that do not answer are not among them.</returns>
    public IReadOnlyDictionary<ulong, ForwardFigures> Ask(IReadOnlyCollection<ulong> consumers)
    {
        var answers = new Dictionary<ulong, ForwardFigures>();
        _lane?.Dispose();
        _lane = null;
        try
        {
            using var lane = target.OpenLane(Options(plan.ReplyChannel));
            Ask(lane, consumers, answers);
        }
        catch (RedisException)
        {
            // Those who did not answer are missing from the answers.
        }

        return answers;
    }

    /// <inheritdoc/>
    public void Dispose() => _lane?.Dispose();

    private LaneOptions Options(params IReadOnlyList<string> replies) => new()
    {
        SubscribeChannels = replies,
        PublishChannels = [plan.Channel],
        ClientName = "redislatency-producer-clock",
    };

    private void Ask(
        IPubSubLane lane, IReadOnlyCollection<ulong> consumers, Dictionary<ulong, ForwardFigures> answers)
    {
        var ask = MonotonicClock.NowNs();
        var end = ask + AnswerLimitNs;
        while (answers.Count < consumers.Count && MonotonicClock.NowNs() is var now && now < end)
        {
            if (now >= ask)
            {
                ask = now + AskAgainNs;
                lane.DrainReplies();
                foreach (var consumer in consumers.Where(consumer => !answers.ContainsKey(consumer)))
                {
                    ForwardFigures.WriteQuestion(_payload, consumer);
                    lane.Publish(0, Stamped(MessageKind.Figures, _payload.AsSpan(0, ForwardFigures.QuestionLength)));
                }
            }

            if (lane.TryReceive(MonotonicClock.ToTimestamp(Math.Min(ask, end)), out var message))
                Take(message.Payload, answers);
        }

        lane.DrainReplies();
    }

    private void Take(ReadOnlySpan<byte> frame, Dictionary<ulong, ForwardFigures> answers)
    {
        if (FrameReader.Read(frame, out var header) == FrameDefect.None && header.Kind == MessageKind.Figures
            && header.IsEcho && header.Run == plan.RunNumber && header.Producer == plan.Producer
            && ForwardFigures.TryRead(FrameReader.Payload(frame), out var figures))
        {
            answers[header.EchoInstance] = figures;
        }
    }

    private void Publish(MessageKind kind, ReadOnlySpan<byte> payload)
    {
        var now = MonotonicClock.NowNs();
        if (_lane is null && now < _openNs)
            return;
        try
        {
            _openNs = now + OpenAgainNs;
            _lane ??= target.OpenLane(Options());
            _lane.DrainReplies();
            _lane.Publish(0, Stamped(kind, payload));
        }
        catch (RedisException)
        {
            _lane?.Dispose();
            _lane = null;
        }
    }

    private ReadOnlySpan<byte> Stamped(MessageKind kind, ReadOnlySpan<byte> payload)
    {
        var now = MonotonicClock.NowNs();
        _frame.SetPayload(payload);
        _frame.Stamp(kind, FrameFlags.None, 0, now, now);
        return _frame.Bytes;
    }
}
