using System.Globalization;
using RedisLatency.Messaging.Frames;
using RedisLatency.Messaging.OneWay;
using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Messaging.Echoing;

/// <summary>
/// The consumer's side of one channel pair: takes what comes, stamps it and sends it back. Runs on the thread that
/// calls <see cref="Run"/>, for any number of producers, until it is stopped.
/// </summary>
public sealed class StreamEcho : IDisposable
{
    /// <summary>What the names of the threads that run one begin with.</summary>
    public const string ThreadNames = "redislatency-echo";

    // Lanes come back earlier, several times a second; a long wait lets the raw lane block in one recv.
    private const long WaitSliceNs = 1_000_000_000;

    private const long AnswerSliceNs = 5_000_000;

    // A server may stand still for a while, and loses nothing by that.
    private const int SilentAfter = 3;

    private static readonly TimeSpan RestoreSlice = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// After so many publishes their replies are read: looking after each one would find none yet, at the price of a
    /// system call for every message.
    /// </summary>
    private const int DrainEvery = 32;

    private readonly EchoOptions _options;
    private readonly StreamConnection _connection;
    private readonly ServedStreams _streams = new();
    private readonly byte[] _hello;
    private readonly byte[] _reply;
    private readonly RepeatedCounts _plainCounts = new();
    private readonly byte[] _figures = new byte[ForwardFigures.Length];
    private readonly long _keepAliveNs;
    private long _askedAt;
    private int _undrained;

    /// <summary>Makes an echo; nothing is connected yet.</summary>
    /// <param name="options">How it answers.</param>
    /// <param name="openLane">Opens a lane that subscribes to the channel and publishes to the reply channel.</param>
    public StreamEcho(EchoOptions options, Func<IPubSubLane> openLane)
    {
        _options = options;
        _connection = new StreamConnection(openLane, options.ReconnectLimit);
        _keepAliveNs = options.KeepAlive.InNanoseconds;
        _hello = options.Self.ToBytes();
        _reply = GC.AllocateArray<byte>(options.MaxMessage, pinned: true);
    }

    /// <summary>What came beside the streams.</summary>
    public EchoCounts Counts { get; } = new();

    /// <summary>How long each message was kept, in nanoseconds: echoed − received.</summary>
    public LatencyRecorder Residence { get; } = new();

    /// <summary>
    /// Where messages go whose producer tells the offset; null where the consumer makes no forward series of its own.
    /// </summary>
    public ForwardFeed? Forward { get; init; }

    /// <summary>The streams served so far.</summary>
    public IReadOnlyList<ServedStream> Streams => _streams.Snapshot();

    /// <summary>Streams that made room for later ones: what they had is in no count of <see cref="Streams"/>.</summary>
    public long ForgottenStreams => _streams.Forgotten;

    /// <summary>The times without a connection; read it when the echo does not run.</summary>
    public IReadOnlyList<Outage> Outages => _connection.Outages;

    /// <summary>Whether there is a connection, as far as is known; any thread may ask.</summary>
    public bool IsConnected => _connection.Lane is not null;

    /// <summary>What carries the messages.</summary>
    public LaneDescription? Lane => _connection.Description;

    /// <summary>Opens the lane.</summary>
    /// <exception cref="RedisException">It cannot be opened.</exception>
    public void Connect() => _connection.Open();

    /// <summary>Echoes until it is stopped.</summary>
    /// <exception cref="RedisException">The server refuses, or is lost for good.</exception>
    public void Run(CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            if (_connection.Lane is not { } lane)
            {
                _connection.TryRestore(RestoreSlice);
                continue;
            }

            try
            {
                TakeNext(lane, WaitSliceNs);
                KeepAlive(lane, MonotonicClock.NowNs());
            }
            catch (RedisException failure) when (StreamConnection.IsLost(failure))
            {
                Lose(failure);
            }
        }
    }

    /// <summary>
    /// Asks over the connection itself whether it is still there, when no more is to come: without an answer it is
    /// lost. What comes meanwhile is echoed.
    /// </summary>
    /// <exception cref="RedisException">The server refuses.</exception>
    public void AskAtEnd()
    {
        if (_connection.Lane is not { } lane)
            return;
        try
        {
            lane.Ask();
            var asked = MonotonicClock.NowNs();
            while (lane.UnansweredSince is not null)
            {
                TakeNext(lane, AnswerSliceNs);
                if (lane.UnansweredSince is not null && MonotonicClock.NowNs() - asked > _keepAliveNs)
                    throw Silent(_options.KeepAlive);
            }
        }
        catch (RedisException failure) when (StreamConnection.IsLost(failure))
        {
            Lose(failure);
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _connection.Dispose();

    private static RedisConnectionLostException Silent(TimeSpan time) => new(string.Create(
        CultureInfo.InvariantCulture,
        $"the connection is open, but nothing came on it for {time.TotalSeconds:0.#} s, not even an answer to PING"));

    private void Lose(RedisException failure)
    {
        Counts.ConnectionsLost++;
        _connection.Lose(failure);
    }

    private void TakeNext(IPubSubLane lane, long waitNs)
    {
        if (lane.TryReceive(MonotonicClock.ToTimestamp(MonotonicClock.NowNs() + waitNs), out var message))
            Take(lane, message);
        else
            Drain(lane);
    }

    private void KeepAlive(IPubSubLane lane, long now)
    {
        if (now - _askedAt < _keepAliveNs)
            return;
        _askedAt = now;
        Drain(lane);
        if (lane.UnansweredSince is { } since
            && now - MonotonicClock.FromTimestamp(since) >= SilentAfter * _keepAliveNs)
        {
            throw Silent(SilentAfter * _options.KeepAlive);
        }

        lane.Ask();
    }

    private void Take(IPubSubLane lane, in LaneMessage message)
    {
        var received = MonotonicClock.FromTimestamp(message.ReceivedTimestamp);
        switch (FrameReader.Read(message.Payload, out var header))
        {
            case FrameDefect.None when header.IsEcho && header.Producer == _options.Instance:
                throw new EchoLoopException();
            case FrameDefect.None when header.IsEcho:
                Counts.Foreign++; // The reply channel of somebody else is this channel: an answer is never answered.
                break;
            case FrameDefect.None when _options.Producer is { } only && header.Producer != only:
                Counts.Foreign++;
                break;
            case FrameDefect.None when header.Producer == _options.OwnProducer:
                break;
            case FrameDefect.None:
                TakeFrame(lane, message.Payload, header, received);
                break;
            case FrameDefect.Foreign when CounterPayload.TryRead(message.Payload, out var count):
                EchoPlain(lane, message.Payload, count, received);
                break;
            case FrameDefect.Foreign:
                Counts.Foreign++;
                break;
            case FrameDefect.OtherVersion:
                Counts.OtherVersion++;
                break;
            default:
                Counts.Corrupted++;
                break;
        }
    }

    private void TakeFrame(IPubSubLane lane, ReadOnlySpan<byte> frame, in FrameHeader header, long received)
    {
        switch (header.Kind)
        {
            case MessageKind.Hello:
                var stream = _streams.Of(header);
                stream.Content = Announcement.Read(FrameReader.Payload(frame)) ?? stream.Content;
                AnswerHello(lane, stream, header, received);
                break;
            case MessageKind.Offset:
                if (Forward?.TryTakeOffset(header, FrameReader.Payload(frame), _options.Instance) == false)
                    Counts.Corrupted++;
                break;
            case MessageKind.Figures:
                AnswerFigures(lane, header, FrameReader.Payload(frame), received);
                break;
            case MessageKind.Message when (header.Flags & FrameFlags.NoEcho) != 0:
                Account(header, received);
                Counts.Kept++;
                break;
            default:
                Echo(lane, frame, header, received);
                break;
        }
    }

    private void Echo(IPubSubLane lane, ReadOnlySpan<byte> frame, in FrameHeader header, long received)
    {
        var reply = _reply.AsSpan(0, frame.Length);
        frame.CopyTo(reply);
        var echoed = MonotonicClock.NowNs();
        FrameEcho.Stamp(reply, _options.Instance, received, echoed);
        lane.Publish(0, reply);

        // What follows is no part of the residence.
        Account(header, received);
        if (header.Kind == MessageKind.Message && (header.Flags & FrameFlags.WarmUp) == 0)
            Residence.Record(echoed - received);
        Counts.Echoed++;
        DrainNowAndThen(lane);
    }

    private void EchoPlain(IPubSubLane lane, ReadOnlySpan<byte> payload, long count, long received)
    {
        var times = _plainCounts.Take(count, received, out var isTooOften);
        if (isTooOften)
            throw new EchoLoopException();
        if (times % RepeatedCounts.AskEvery == 0)
            AskWhoHearsEchoes(lane);
        lane.Publish(0, payload);
        Counts.Plain++;
        Counts.Echoed++;
        DrainNowAndThen(lane);
    }

    // Another consumer that hears them answers; where it answers on this one's channel, they go around.
    private void AskWhoHearsEchoes(IPubSubLane lane)
    {
        var question = new FrameBuffer(run: 0, _options.Instance, stream: 0, _hello.Length);
        question.SetPayload(_hello);
        question.Stamp(MessageKind.Hello, FrameFlags.None, 0, 0, MonotonicClock.NowNs());
        lane.Publish(0, question.Bytes);
    }

    private void Account(in FrameHeader header, long received)
    {
        if ((header.Flags & FrameFlags.WarmUp) != 0)
            Counts.WarmUp++;
        var isNew = _streams.Of(header).Take(header, received);
        if (isNew && (header.Flags & FrameFlags.OffsetFollows) != 0)
            Forward?.Take(header, received);
    }

    private void DrainNowAndThen(IPubSubLane lane)
    {
        if (++_undrained >= DrainEvery)
            Drain(lane);
    }

    private void Drain(IPubSubLane lane)
    {
        _undrained = 0;
        lane.DrainReplies();
    }

    // While they are not there, there is no answer: the producer asks again.
    private void AnswerFigures(IPubSubLane lane, in FrameHeader header, ReadOnlySpan<byte> question, long received)
    {
        if (!ForwardFigures.TryReadQuestion(question, out var instance))
        {
            Counts.Corrupted++;
        }
        else if (instance == _options.Instance && Forward is { } forward
            && forward.TryGetFigures(header.Producer, out var figures))
        {
            figures.Write(_figures);
            Answer(lane, header, MessageKind.Figures, FrameFlags.None, _figures, received);
        }
    }

    private void AnswerHello(IPubSubLane lane, ServedStream stream, in FrameHeader hello, long received)
    {
        var flags = _streams.IsNameTaken(stream, received) ? FrameFlags.NameTaken : FrameFlags.None;
        var self = _options.Waits?.Invoke() is { } waits ? (_options.Self with { Waits = waits }).ToBytes() : _hello;
        Answer(lane, hello, MessageKind.Hello, flags, self, received);
    }

    private void Answer(
        IPubSubLane lane, in FrameHeader question, MessageKind kind, FrameFlags flags, byte[] payload, long received)
    {
        var answer = new FrameBuffer(question.Run, question.Producer, question.Stream, payload.Length);
        answer.SetPayload(payload);
        answer.Stamp(kind, flags, question.Sequence, question.Intended, question.Sent);
        var reply = answer.Bytes.ToArray();
        FrameEcho.Stamp(reply, _options.Instance, received, MonotonicClock.NowNs());
        lane.Publish(0, reply);
        Drain(lane);
    }
}

/// <summary>
/// What this consumer sends back comes to it again: another one echoes it, with the channels crossed.
/// </summary>
public sealed class EchoLoopException() : Exception("echoes come back to the consumer that sent them");
