using RedisLatency.Messaging.Frames;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Messaging.Sending;

/// <summary>
/// Finds out who answers on a stream's channel. PUBLISH tells how many subscribers one node has, not who they are nor
/// whether they answer: only an answered hello decides.
/// </summary>
/// <param name="run">The run's number.</param>
/// <param name="producer">This process.</param>
/// <param name="stream">The stream.</param>
/// <param name="self">Who asks; null where plain counts are sent, which any consumer answers.</param>
public sealed class ConsumerSearch(ulong run, ulong producer, int stream, Announcement? self)
{
    private const long AskAgainNs = 200_000_000;
    private const long SettleNs = 100_000_000;

    /// <summary>
    /// For how long a name that is taken is asked for again: a producer that died falls silent first.
    /// </summary>
    private const long NameTakenPatienceNs = 5_000_000_000;

    // As long as the server counted more who heard the question than answered it. They need not be consumers.
    internal long MostSettleNs { get; init; } = 1_000_000_000;

    private readonly List<PresentConsumer> _found = [];
    private long _askedNs;
    private long _saidNs;
    private bool _isNameTaken;

    /// <summary>Whether the last search ended because another producer of this run and instance is at work.</summary>
    public bool IsNameTaken => _isNameTaken;

    /// <summary>
    /// How many subscribers heard the last question, whether they answered or not; negative where the lane does not
    /// know.
    /// </summary>
    public long Hearers { get; private set; } = -1;

    /// <summary>How long the quickest answer took, in nanoseconds; <see cref="long.MaxValue"/> without one.</summary>
    public long RoundTripNs { get; private set; } = long.MaxValue;

    /// <summary>Asks until somebody answers, and then a moment longer for the others.</summary>
    /// <param name="lane">The stream's lane.</param>
    /// <param name="timeout">How long to ask.</param>
    /// <param name="stop">Ends the search early.</param>
    /// <returns>Who is there; nobody where the time is over or the name is taken.</returns>
    /// <exception cref="RedisException">The server refuses, or is lost.</exception>
    public IReadOnlyList<PresentConsumer> Find(IPubSubLane lane, TimeSpan timeout, CancellationToken stop)
    {
        var start = MonotonicClock.NowNs();
        var end = start + timeout.InNanoseconds;
        var ask = start;
        var settled = long.MaxValue;
        var allSettled = long.MaxValue;
        while (!stop.IsCancellationRequested)
        {
            var now = MonotonicClock.NowNs();
            if (now >= settled)
            {
                lane.DrainReplies();
                if (now >= allSettled || self is null || HearersBy(lane) <= _found.Count)
                    break;
                settled = now + SettleNs;
            }

            if (now >= end || (_isNameTaken && now - start >= NameTakenPatienceNs))
                break;
            if (now >= ask && _found.Count == 0)
            {
                lane.DrainReplies();
                _saidNs = now;
                lane.Publish(0, Hello(now));
                ask = now + AskAgainNs;
            }

            if (lane.TryReceive(MonotonicClock.ToTimestamp(Math.Min(ask, Math.Min(end, settled))), out var message)
                && Take(message.Payload) && settled == long.MaxValue)
            {
                settled = MonotonicClock.NowNs() + SettleNs;
                allSettled = MonotonicClock.NowNs() + MostSettleNs;
            }
        }

        lane.DrainReplies();
        Hearers = HearersBy(lane);
        return _found;
    }

    /// <summary>
    /// Asks consumers that were found once more what they say of themselves, until all have answered.
    /// </summary>
    /// <param name="lane">The stream's lane.</param>
    /// <param name="consumers">Whom.</param>
    /// <param name="timeout">How long to ask.</param>
    /// <returns>Those who answered.</returns>
    /// <exception cref="RedisException">The server refuses, or is lost.</exception>
    public IReadOnlyList<PresentConsumer> AskAgain(
        IPubSubLane lane, IReadOnlyCollection<ulong> consumers, TimeSpan timeout)
    {
        var ask = _askedNs = MonotonicClock.NowNs();
        var end = ask + timeout.InNanoseconds;
        var hello = Hello(_askedNs);
        while (MonotonicClock.NowNs() is var now && now < end && consumers.Except(_found.Select(one => one.Id)).Any())
        {
            if (now >= ask)
            {
                lane.DrainReplies();
                lane.Publish(0, hello);
                ask = now + AskAgainNs;
            }

            if (lane.TryReceive(MonotonicClock.ToTimestamp(Math.Min(ask, end)), out var message))
                Take(message.Payload);
        }

        lane.DrainReplies();
        return _found;
    }

    private static long HearersBy(IPubSubLane lane) => (lane as RawLane)?.LastReceiverCount ?? -1;

    private byte[] Hello(long now)
    {
        if (self is null)
            return "0"u8.ToArray();
        var content = self.ToBytes();
        var frame = new FrameBuffer(run, producer, stream, content.Length);
        frame.SetPayload(content);
        frame.Stamp(MessageKind.Hello, FrameFlags.None, 0, now, now);
        return frame.Bytes.ToArray();
    }

    private bool Take(ReadOnlySpan<byte> payload)
    {
        if (self is null)
            return TakeCount(payload);
        if (FrameReader.Read(payload, out var header) != FrameDefect.None
            || header.Kind != MessageKind.Hello || !header.IsEcho || header.Producer != producer
            || header.Stream != stream || header.Sent < _askedNs)
        {
            return false;
        }

        Heard(header.Sent);
        _isNameTaken = (header.Flags & FrameFlags.NameTaken) != 0;
        if (_isNameTaken || _found.Exists(consumer => consumer.Id == header.EchoInstance))
            return false;
        _found.Add(new PresentConsumer(header.EchoInstance, Announcement.Read(FrameReader.Payload(payload))));
        return true;
    }

    private void Heard(long saidNs) => RoundTripNs = Math.Min(RoundTripNs, MonotonicClock.NowNs() - saidNs);

    // Every question brings an answer, from each consumer: the settling time takes them in.
    private bool TakeCount(ReadOnlySpan<byte> payload)
    {
        if (!CounterPayload.TryRead(payload, out var count) || count != 0)
            return false;
        Heard(_saidNs);
        if (_found.Count == 0)
            _found.Add(new PresentConsumer(0, null));
        return true;
    }
}
