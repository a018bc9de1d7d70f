using RedisLatency.Messaging.Frames;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Messaging.OneWay;

/// <summary>
/// Tells consumers the offset of their clocks, so that they can make a forward series of their own, and asks those that
/// echo nothing in the end what it came to, on lanes of its own, because a stream's lane belongs to its measuring
/// thread. What goes wrong here costs that series and nothing else: nothing is thrown for it. One thread.
/// </summary>
/// <param name="run">The run's number.</param>
/// <param name="producer">This process, as it signs its frames.</param>
/// <param name="openTelling">Opens a lane that publishes to the channel of stream 0, and subscribes to none.</param>
/// <param name="openAsking">Opens one that subscribes to that channel's answers besides.</param>
public sealed class OffsetPublisher(
    ulong run, ulong producer, Func<IPubSubLane> openTelling, Func<IPubSubLane> openAsking) : IDisposable
{
    private const long AskAgainNs = 100_000_000;
    private const long OpenAgainNs = 5_000_000_000;

    private readonly byte[] _payload = new byte[OffsetPayload.MaxLength];
    private readonly FrameBuffer _frame = new(run, producer, 0, OffsetPayload.MaxLength);
    private IPubSubLane? _lane;
    private long _openNs = long.MinValue;

    /// <summary>Tells one consumer of windows that are final.</summary>
    /// <param name="consumer">Whom.</param>
    /// <param name="windows">The latest, in order; those that it was told before may be among them.</param>
    /// <param name="isLast">Whether no more will come.</param>
    public void Publish(ulong consumer, ReadOnlySpan<PublishedWindow> windows, bool isLast)
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

    /// <summary>How long to wait for answers: consumers look at what they were told once a second.</summary>
    public static readonly TimeSpan AnswerLimit = TimeSpan.FromSeconds(2.5);

    /// <summary>Asks consumers what their own forward series came to, again and again until they answer.</summary>
    /// <param name="consumers">Whom, as they sign their echoes.</param>
    /// <param name="limit">How long to wait; <see cref="AnswerLimit"/> where nothing is said.</param>
    /// <returns>Their answers; those that do not answer are not among them.</returns>
    public IReadOnlyDictionary<ulong, ForwardFigures> Ask(IReadOnlyCollection<ulong> consumers, TimeSpan? limit = null)
    {
        var answers = new Dictionary<ulong, ForwardFigures>();
        _lane?.Dispose();
        _lane = null;
        try
        {
            using var lane = openAsking();
            Ask(lane, consumers, limit ?? AnswerLimit, answers);
        }
        catch (RedisException)
        {
            // Those who did not answer are missing from the answers.
        }

        return answers;
    }

    /// <inheritdoc/>
    public void Dispose() => _lane?.Dispose();

    private void Ask(
        IPubSubLane lane,
        IReadOnlyCollection<ulong> consumers,
        TimeSpan limit,
        Dictionary<ulong, ForwardFigures> answers)
    {
        var ask = MonotonicClock.NowNs();
        var end = ask + limit.InNanoseconds;
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
            && header.IsEcho && header.Run == run && header.Producer == producer
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
            _lane ??= openTelling();
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
