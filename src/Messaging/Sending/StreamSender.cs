using RedisLatency.Messaging.Frames;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Rendezvous;
using RedisLatency.Redis;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Messaging.Sending;

/// <summary>
/// One stream of messages: sends them, takes what comes back, and accounts for each. A phase runs on the thread that
/// calls <see cref="Run"/>; a stream has one thread at a time.
/// </summary>
/// <remarks>
/// Open loop: message i is due at its time whatever became of message i − 1. It waits for room in flight up to the
/// receive deadline, and counts as unsent after that, or where there is no connection when it is due.
/// Closed loop: the next message goes when the last one has returned or its deadline has passed.
/// </remarks>
public sealed partial class StreamSender : IDisposable
{
    private static readonly TimeSpan AnswerLimit = TimeSpan.FromSeconds(1);

    private readonly SenderOptions _options;
    private readonly StreamConnection _connection;
    private readonly OutgoingMessages _outgoing;
    private readonly InFlightWindow _window;
    private readonly EchoReceiver _receiver;
    private readonly SendSchedule? _schedule;
    private readonly WakeUpLead _wakeUp = new();
    private FrameFlags _flags; // Of the phase; a message has the options' besides.
    private long _sequence;
    private bool _isFull;
    private long _roomSince; // When there was room in flight again.
    private long _lastTaken; // When a message last left, or was given up.

    /// <summary>Makes a stream; nothing is connected yet.</summary>
    /// <param name="options">What it sends, and how.</param>
    /// <param name="openLane">
    /// Opens a lane that publishes to the stream's channel and subscribes to its reply channel.
    /// </param>
    public StreamSender(SenderOptions options, Func<IPubSubLane> openLane)
    {
        if (options.NoEcho && (options.Rate == 0 || options.IsCounter))
            throw new ArgumentException("Without echoes there is an open loop of frames only.", nameof(options));
        _options = options;
        _connection = new StreamConnection(openLane, options.ReconnectLimit);
        _outgoing = new OutgoingMessages(options);
        _window = new InFlightWindow(
            options.Rate > 0 ? options.MaxInFlight : 1, options.ReceiveDeadlineNs, options.Rate);
        _receiver = new EchoReceiver(options, _window);
        _schedule = options.Rate > 0 ? new SendSchedule(options.Rate, options.Arrival, options.Seed) : null;
    }

    /// <summary>Whether the next message waits for the last one.</summary>
    public bool IsClosedLoop => _schedule is null;

    /// <summary>What happened in the phase that runs or ran last.</summary>
    public StreamCounts Counts { get; private set; } = new();

    /// <summary>Where the phase that runs or ran last records.</summary>
    public RoundTripSeries Series { get; private set; } = new();

    /// <summary>The consumers that answered in it.</summary>
    public IReadOnlyList<EchoLedger> Ledgers => _receiver.Ledgers;

    /// <summary>The first answer that was not what was sent.</summary>
    public WrongAnswer? FirstWrong => _receiver.FirstWrong;

    /// <summary>What the server said when it first refused a message for the time being.</summary>
    public string? FirstRefusal { get; private set; }

    /// <summary>The times without a connection; read it when the stream does not run.</summary>
    public IReadOnlyList<Outage> Outages => _connection.Outages;

    /// <summary>
    /// When the phase ended by its limit or schedule, in nanoseconds; in the closed loop as the next.
    /// </summary>
    public long ScheduleEnd { get; private set; }

    /// <summary>When the phase ended: when its schedule did, or the last message left where that was later.</summary>
    public long PhaseEnd { get; private set; }

    /// <summary>Whether there was no connection at the end of the phase.</summary>
    public bool EndedDisconnected { get; private set; }

    /// <summary>How many messages were under way at the end of the phase.</summary>
    public int InFlightAtEnd { get; private set; }

    /// <summary>
    /// Whether nothing came back any more after the end of the phase, not even the answer to the end, nor before it
    /// that to the last message of a counter.
    /// </summary>
    public bool EndedUnanswered { get; private set; }

    /// <summary>Echoes that are owed: every message that was sent, once for each consumer that was there.</summary>
    public long Owed => Ledgers.Sum(ledger => Math.Max(0, Counts.Sent - ledger.FirstSequence));

    /// <summary>What carries the messages.</summary>
    public LaneDescription? Lane => _connection.Description;

    /// <summary>Opens the lane.</summary>
    /// <exception cref="RedisException">It cannot be opened.</exception>
    public void Connect() => _connection.Open();

    /// <summary>Finds out who answers on this stream.</summary>
    /// <param name="self">Who asks.</param>
    /// <param name="timeout">How long to ask.</param>
    /// <param name="search">What else it found out.</param>
    /// <param name="stop">Ends the search early.</param>
    /// <exception cref="RedisException">The server refuses, or is lost.</exception>
    public IReadOnlyList<PresentConsumer> FindConsumers(
        Announcement self, TimeSpan timeout, out ConsumerSearch search, CancellationToken stop)
    {
        var lane = _connection.Lane ?? throw new InvalidOperationException("The stream is not connected.");
        var content = _options.IsCounter ? null : self;
        search = new ConsumerSearch(_options.Run, _options.Producer, _options.Stream, content);
        return search.Find(lane, timeout, stop);
    }

    /// <summary>
    /// Asks consumers that were found what they say of themselves now, between phases. What goes wrong costs their
    /// answer and nothing else.
    /// </summary>
    /// <param name="self">Who asks.</param>
    /// <param name="consumers">Whom, as they sign their echoes.</param>
    /// <returns>Those who answered.</returns>
    public IReadOnlyList<PresentConsumer> AskAgain(Announcement self, IReadOnlyCollection<ulong> consumers)
    {
        try
        {
            return _connection.Lane is { } lane
                ? new ConsumerSearch(_options.Run, _options.Producer, _options.Stream, self)
                    .AskAgain(lane, consumers, AnswerLimit)
                : [];
        }
        catch (RedisException)
        {
            return [];
        }
    }

    /// <summary>Sends one phase's messages; the last ones may still be under way when it returns.</summary>
    /// <param name="phase">What the phase is.</param>
    /// <param name="stop">Ends the phase early.</param>
    /// <exception cref="RedisException">The target is lost for good, or refuses.</exception>
    public void Run(StreamPhase phase, CancellationToken stop)
    {
        if (!phase.Continues)
            Begin(phase);
        if (_schedule is null)
            RunClosedLoop(phase.Limit, stop);
        else
            RunSchedule(_schedule, phase, stop);
        EndedDisconnected = _connection.Lane is null;
        InFlightAtEnd = _window.Count;
    }

    // A target that is given up is asked for no less than was planned: what its schedule had yet to send is unsent.
    private void RunSchedule(SendSchedule schedule, StreamPhase phase, CancellationToken stop)
    {
        try
        {
            RunOpenLoop(phase.Start, phase.Limit, stop);
        }
        catch (RedisException)
        {
            var end = phase.Limit.EndOf(phase.Start);
            var left = end == long.MaxValue ? long.MaxValue : schedule.CountUntil(end);
            left = Math.Min(left, phase.Limit.Messages - schedule.Taken ?? long.MaxValue);
            if (left != long.MaxValue)
                Counts.Unsent += Math.Max(0, left);
            throw;
        }
    }

    /// <summary>Counts as unsent what later phases were to send, after the target was given up.</summary>
    public void Forgo(long messages) => Counts.Unsent += messages;

    /// <summary>
    /// Waits until what is under way has returned or was given up, then tells the consumers the end, where it is one.
    /// </summary>
    /// <param name="abort">Ends the waiting at once.</param>
    /// <param name="isEnd">Whether no phase continues this one.</param>
    public void Drain(CancellationToken abort, bool isEnd = true)
    {
        var answered = Answered;
        while (_window.IsOwed() && !abort.IsCancellationRequested)
            Receive(Math.Min(_window.NextOwedExpiry + 1, MonotonicClock.NowNs() + WaitSliceNs));
        if (!isEnd)
            return;
        if (!_options.IsCounter)
            ExchangeEnd(abort);
        _window.GiveUp(MonotonicClock.NowNs());
        CountWaits();
        // A counter has no end frame; the answer to its last message says as much.
        var isAnswered = _receiver.EndReturned || (_options is { IsCounter: true, NoEcho: false } && !_receiver.IsOwed);
        EndedUnanswered = Answered == answered && !isAnswered;
    }

    /// <inheritdoc/>
    public void Dispose() => _connection.Dispose();

    private long Answered => Counts.Returned + Counts.Late + Counts.Wrong;

    private void Begin(StreamPhase phase)
    {
        if (_options.IsCounter)
            _outgoing.CounterBase += _sequence;
        Counts = phase.Counts;
        Series = phase.Series;
        _flags = phase.IsWarmUp ? FrameFlags.WarmUp : FrameFlags.None;
        _sequence = 0;
        _isFull = false;
        _roomSince = 0;
        _window.Start(phase.Consumers.Count);
        _receiver.Start(_flags, phase, _outgoing.CounterBase);
    }

    // Returns whether the message counts as sent: from the moment that its bytes may have left, it does.
    private bool TrySend(IPubSubLane lane, long? intended)
    {
        _outgoing.Prepare();
        var isSent = false;
        try
        {
            DrainReplies(lane);
            var sent = MonotonicClock.NowNs();
            var due = intended ?? sent;
            var bytes = _outgoing.Stamp(_flags | _options.MessageFlags, _sequence, due, sent);
            if (!_options.NoEcho)
                _window.Add(due, sent);
            Counts.InFlight = _window.Count;
            Counts.Sent = ++_sequence;
            isSent = true;
            lane.Publish(0, bytes);
            if (intended is not null)
                Series.Lateness.Record(sent - Math.Max(due, _roomSince));
        }
        catch (RedisException failure) when (StreamConnection.IsLost(failure))
        {
            LoseLane(failure);
        }

        return isSent;
    }

    // A refusal that may pass, such as LOADING, costs the message and not the run.
    private void DrainReplies(IPubSubLane lane)
    {
        try
        {
            lane.DrainReplies();
        }
        catch (RedisServerException refusal) when (refusal.IsTransient)
        {
            Counts.Refused++;
            FirstRefusal ??= refusal.Message;
        }
    }

    // Waits for a message, then takes those that are there, up to a budget.
    private void Receive(long untilNs, int budget = ReceiveBudget)
    {
        if (_connection.Lane is { } lane)
        {
            TryReceive(lane, MonotonicClock.ToTimestamp(untilNs), budget);
        }
        else
        {
            var wait = Math.Clamp(untilNs - MonotonicClock.NowNs(), 0, RestoreSliceNs);
            _connection.TryRestore(TimeSpan.FromNanoseconds(wait));
        }

        _window.Expire(MonotonicClock.NowNs());
        CountWaits();
        Counts.InFlight = _window.Count;
    }

    private void CountWaits()
    {
        Counts.LongestFromSent = _window.LongestFromSent;
        Counts.LongestFromIntended = _window.LongestFromIntended;
    }

    private void TryReceive(IPubSubLane lane, long until, int budget)
    {
        try
        {
            while (budget-- > 0 && lane.TryReceive(until, out var message))
            {
                _receiver.Take(message);
                until = 0;
            }
        }
        catch (RedisException failure) when (StreamConnection.IsLost(failure))
        {
            LoseLane(failure);
        }
    }

    private void LoseLane(RedisException failure)
    {
        Counts.ConnectionsLost++;
        _connection.Lose(failure);
    }

    // The channel is ordered: once the end frame is back, so is everything that was sent before it.
    private void ExchangeEnd(CancellationToken abort)
    {
        if (_connection.Lane is not { } lane)
            return;
        var end = new FrameBuffer(_options.Run, _options.Producer, _options.Stream, 0);
        var now = MonotonicClock.NowNs();
        end.Stamp(MessageKind.End, _flags, _sequence, now, now);
        try
        {
            lane.Publish(0, end.Bytes);
        }
        catch (RedisException)
        {
            return; // The consumers will tell from the silence.
        }

        var deadline = now + Math.Min(_options.ReceiveDeadlineNs, EndDeadlineNs);
        while (!_receiver.EndReturned && !abort.IsCancellationRequested && MonotonicClock.NowNs() < deadline
            && _connection.Lane is not null)
        {
            Receive(Math.Min(deadline, MonotonicClock.NowNs() + WaitSliceNs));
        }
    }
}
