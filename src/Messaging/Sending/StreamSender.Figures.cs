using RedisLatency.Messaging.Frames;
using RedisLatency.Messaging.OneWay.Consumers;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;

namespace RedisLatency.Messaging.Sending;

/// <content>What comes after the last phase.</content>
public sealed partial class StreamSender
{
    private const long AskFiguresAgainNs = 100_000_000;

    /// <summary>
    /// Asks a consumer what it made of this producer's messages by itself: after <see cref="Drain"/>, and once it was
    /// told the last window of the offset. It answers when it is done, so it is asked again and again.
    /// </summary>
    /// <param name="consumer">The consumer, as it signs its echoes.</param>
    /// <param name="timeout">How long to ask.</param>
    /// <param name="stop">Ends the asking early.</param>
    /// <returns>Its answer, or null where there is none.</returns>
    public ForwardFigures? AskFigures(ulong consumer, TimeSpan timeout, CancellationToken stop)
    {
        var payload = new byte[ForwardFigures.QuestionLength];
        ForwardFigures.WriteQuestion(payload, consumer);
        var question = new FrameBuffer(_options.Run, _options.Producer, _options.Stream, payload.Length);
        question.SetPayload(payload);
        _receiver.AskedForFigures = consumer;
        _receiver.Figures = null;
        var end = MonotonicClock.NowNs() + (timeout.Ticks * 100);
        var again = 0L;
        for (var now = MonotonicClock.NowNs(); now < end && !stop.IsCancellationRequested; now = MonotonicClock.NowNs())
        {
            if (_connection.Lane is not { } lane)
                return null;
            if (now >= again)
            {
                question.Stamp(MessageKind.Figures, FrameFlags.None, 0, now, now);
                again = now + AskFiguresAgainNs;
                try
                {
                    DrainReplies(lane);
                    lane.Publish(0, question.Bytes);
                }
                catch (RedisException)
                {
                    return null; // What was measured stands without it.
                }
            }

            Receive(Math.Min(end, again));
            if (_receiver.Figures is { } figures)
                return figures;
        }

        return null;
    }
}
