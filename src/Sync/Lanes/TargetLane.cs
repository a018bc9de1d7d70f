using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Lanes;

/// <summary>
/// One connection to a target, on a thread of its own: sends what shards hand it as it comes, many requests ahead of
/// their replies, and answers for each. What the target refused for now (a slot that moves, no memory, loading) is
/// asked again in its order before anything new is sent.
/// </summary>
internal sealed class TargetLane : IDisposable
{
    private readonly LaneQueue _incoming;
    private readonly LaneInFlight _flight;
    private readonly List<RefusedRequest> _refused = [];
    // Of what was answered behind one that was refused: the target has all of it only when that is settled.
    private readonly List<LaneShare> _ahead = [];
    private readonly ReadinessPoller _poller = ReadinessPoller.Create();
    private readonly ReadyEvent[] _events = new ReadyEvent[1];
    private readonly ReplyScanner _scanner = new();
    private readonly LaneRules _rules;
    private readonly RequestCommands _commands;
    private readonly MissedKeys _missed;
    private readonly LaneConnections _connections;
    private readonly LaneRetry _retry;
    private readonly SyncFault _fault;
    private readonly Thread _thread;
    private byte[] _received = GC.AllocateUninitializedArray<byte>(64 << 10);
    private int _receivedEnd;
    private LaneSocket? _socket;
    private int _repliesSeen;
    private string? _error;
    // Whether marks are at the target for what came behind one that was refused.
    private bool _isMarkedAhead;
    private volatile bool _isWaiting;
    private volatile bool _isEnding;
    private volatile bool _isAway;
    private long _heardAt;
    private long _repliedAt = MonotonicClock.NowNs();

    public TargetLane(LaneRules rules, LaneServer server, SyncFault fault, string name)
    {
        (_rules, _commands, _fault, Server) = (rules, new RequestCommands(rules.Table), fault, server);
        _missed = new MissedKeys(_commands, rules);
        _incoming = new LaneQueue(fault);
        _flight = new LaneInFlight(rules, _commands, _incoming.Rent, _incoming.Leave);
        _connections = new LaneConnections(rules, server, fault);
        _retry = new LaneRetry(rules, server, _connections, fault, _missed);
        _thread = new Thread(Run) { IsBackground = true, Name = name };
        _thread.Start();
    }

    public LaneServer Server { get; }

    /// <summary>From receiving at the source to the target's answer.</summary>
    public LatencyRecorder Lag { get; } = new();

    public UnansweredRequests Unanswered { get; } = new();

    // When the oldest that has no answer was received from the source; 0 where there is none.
    public long OldestNs => Unanswered.OldestNs is > 0 and var taken ? taken : _incoming.OldestNs;

    // Whether its connection was lost, and there is none again; before the first there may be none.
    public bool IsAway => _isAway;

    public LaneChunk Rent() => _incoming.Rent();

    /// <summary>Hands requests over. Blocks while too many bytes wait.</summary>
    public void Send(LaneChunk chunk)
    {
        _incoming.WaitForRoom();
        Unanswered.Add(chunk);
        _incoming.Add(chunk);
        if (_isWaiting)
            _poller.Wake();
    }

    /// <summary>Waits until it does nothing any more; what it leaves is what it had in work.</summary>
    public void End()
    {
        _isEnding = true;
        _poller.Wake();
        _thread.Join();
    }

    public void Dispose()
    {
        End();
        _socket?.Dispose();
        _retry.Dispose();
        _poller.Dispose();
        _incoming.Dispose();
    }

    private void Run()
    {
        try
        {
            while (!_isEnding && !_fault.IsSet)
                Turn();
        }
#pragma warning disable CA1031 // Whatever ends a lane ends the run, and is told as the run's failure.
        catch (Exception failure)
#pragma warning restore CA1031
        {
            _rules.IsCheckpointBroken |= _isMarkedAhead && _refused.Count > 0;
            _fault.Set(failure);
        }
    }

    private void Turn()
    {
        try
        {
            NoteOldest();
            if (_refused.Count > 0 && _flight.IsEmpty)
                AskAgain();
            Take();
            NoteOldest();
            if (!_flight.IsEmpty || _refused.Count == 0)
                Move();
        }
        catch (RedisConnectionLostException lost)
        {
            Restore(lost);
        }
    }

    private void NoteOldest() => Unanswered.OldestNs =
        _refused.Find(refused => refused.Share is not null)?.ReceivedNs ?? _flight.OldestNs;

    // New requests go out only while nothing of before has to be asked again.
    private void Take()
    {
        while (_refused.Count == 0 && _flight.HasRoom)
        {
            if (_incoming.Take() is not { } chunk)
                return;
            _flight.Append(chunk);
        }
    }

    private void Move()
    {
        var socket = _socket ?? Connect();
        var sentAll = _flight.SendTo(socket);
        _isWaiting = true;
        var isIdle = _incoming.IsEmpty || !_flight.HasRoom || _refused.Count > 0;
        var limit = !isIdle && sentAll ? 0 : 200_000_000L;
        var ready = _poller.Wait(_events, _isEnding ? 0 : limit);
        _isWaiting = false;
        if (ready > 0 && (_events[0].Readiness & ~Readiness.Writable) != 0)
            Receive(socket);
        else if (_flight.IsEmpty)
            _heardAt = _repliedAt = MonotonicClock.NowNs();
        else if (MonotonicClock.NowNs() - _heardAt > _rules.Patience.InNanoseconds)
            throw new RedisConnectionLostException($"no reply for {_rules.Patience.TotalSeconds:0} s");
    }

    private void Receive(LaneSocket socket)
    {
        int count;
        while ((count = socket.Receive(Room())) > 0)
        {
            _heardAt = _repliedAt = MonotonicClock.NowNs();
            _connections.NoteServed();
            _receivedEnd += count;
            var start = 0;
            while (_scanner.TryRead(_received.AsSpan(start, _receivedEnd - start), out var reply))
            {
                Answer(reply, _received.AsSpan(start, reply.Length));
                start += reply.Length;
            }

            _received.AsSpan(start, _receivedEnd -= start).CopyTo(_received);
        }
    }

    private Span<byte> Room()
    {
        if (_receivedEnd == _received.Length)
            Array.Resize(ref _received, _received.Length * 2);
        return _received.AsSpan(_receivedEnd);
    }

    private void Answer(in ScannedReply reply, ReadOnlySpan<byte> bytes)
    {
        if (reply.Type == RespType.Push)
            return;
        if (_flight.First is not { } chunk)
            throw new RedisProtocolException("a reply came that nothing had asked for");
        if (reply.HasError)
            _error ??= Encoding.UTF8.GetString(bytes.Slice(reply.ContentStart, reply.ContentLength));
        ref readonly var unit = ref chunk[chunk.Answered];
        if (++_repliesSeen < unit.Replies)
            return;
        var error = _error;
        (_repliesSeen, _error) = (0, null);
        _flight.Answer(chunk);
        // With an error within what EXEC answers the rest of a transaction was carried out.
        var wasCarriedOut = error is null || (unit.Kind == UnitKind.Transaction && reply.Type == RespType.Array);
        _isMarkedAhead |= unit.Mark != 0 && wasCarriedOut && (error is not null || _refused.Count > 0);
        if (_refused.Count > 0 && unit.Kind != UnitKind.Control && HasOvertaken(chunk, unit, error, wasCarriedOut))
            error = LaneRetry.Overtook;
        if (error is not null && unit.Mark != 0 && wasCarriedOut && ReplyOutcomes.ComesAgain(error))
            throw new RedisServerException(error);
        if (error is not null)
        {
            var asked = unit with { WasSent = unit.WasSent || error == LaneRetry.Overtook };
            var refused = new RefusedRequest(asked, chunk.CopyOf(unit), error, chunk.Share, chunk.ReceivedNs);
            if (chunk.Share is not null && !_refused.Exists(one => one.Unit.Kind == UnitKind.Control)
                && _missed.Takes(refused, error))
            {
                End(unit, chunk.Share, chunk.ReceivedNs);
            }
            else
            {
                _refused.Add(refused);
            }
        }
        else if (_refused.Exists(refused => refused.Unit.Kind == UnitKind.Control))
        {
            throw new RedisServerException(
                "ERR wrong database",
                $"{Server}: {_rules.NameOf(unit)} {KeyText.Of(chunk.KeyOf(unit))} was carried out in another database "
                    + $"than {unit.Database}: the SELECT before it had been refused.");
        }
        else
        {
            if (chunk.Share is not null && MissedKeys.MayConcern(unit, bytes))
            {
                var one = new RefusedRequest(unit, chunk.CopyOf(unit), string.Empty, chunk.Share, chunk.ReceivedNs);
                _missed.Count(one, new RespCursor(bytes, RespLimits.Default));
            }

            End(unit, chunk.Share, chunk.ReceivedNs);
        }

        if (chunk.Answered == chunk.Count)
            _flight.LeaveFirst();
    }

    // One before it was refused, and is only now carried out: so this one has to be once more, if it may be.
    private bool HasOvertaken(LaneChunk chunk, in SentUnit unit, string? error, bool wasCarriedOut)
    {
        if (!wasCarriedOut && error is not null && ReplyOutcomes.ComesAgain(error))
            return false;
        var hasOvertaken = false;
        foreach (var refused in _refused)
        {
            // The run ends when one that is refused for good is asked again: until then what was carried out counts.
            if (refused.Unit.Kind == UnitKind.Control
                || (refused.Unit.Kind != UnitKind.Restore && refused.Error != LaneRetry.Overtook
                    && !ReplyOutcomes.ComesAgain(refused.Error))
                || refused.MayBeRepeatedBefore(chunk, unit, _rules, _commands) is not { } mayBeRepeated)
            {
                continue;
            }

            hasOvertaken = true;
            if (!wasCarriedOut || (mayBeRepeated && unit.Mark == 0))
                continue;
            var name = unit.Kind == UnitKind.Transaction
                ? $"a transaction that begins with {_rules.NameOf(unit)}"
                : $"{_rules.NameOf(unit)} {KeyText.Of(chunk.KeyOf(unit))}";
            var why = refused.Error == LaneRetry.Overtook ? "was itself too early"
                : $"had been refused ({refused.Error})";
            throw new TargetLostException(
                $"{Server}: {name} was carried out before {_rules.NameOf(refused.Unit)}, which stands before it and "
                    + $"{why}. To send both again in their order may change the data.");
        }

        return hasOvertaken;
    }

    private void End(in SentUnit unit, LaneShare? share, long receivedNs)
    {
        if (share is null)
            return;
        Unanswered.End(unit);
        if (receivedNs != 0)
            Lag.Record(MonotonicClock.NowNs() - receivedNs);
        share.Counts.CountWritten(unit);
        Complete(share);
    }

    private void Complete(LaneShare share)
    {
        if (_refused.Count == 0)
            share.Complete();
        else
            _ahead.Add(share);
    }

    // In their order; each blocks until it is settled.
    private void AskAgain()
    {
        // Of a connection on which a SELECT was refused it is not known where it is.
        var isElsewhere = false;
        for (var i = 0; i < _refused.Count; i++)
        {
            var refused = _refused[i];
            if (refused.Unit.Kind == UnitKind.Control)
            {
                if (ReplyOutcomes.Of(refused.Error) != ReplyOutcome.TryLater)
                    throw new RedisServerException(refused.Error);
                isElsewhere = true;
                continue;
            }

            if (_retry.Settle(refused))
            {
                End(refused.Unit, refused.Share, refused.ReceivedNs);
                continue;
            }

            Unanswered.End(refused.Unit);
            if (refused.Share is { } share)
                Complete(share);
        }

        _connections.CloseAll();
        _refused.Clear();
        _ahead.ForEach(Complete);
        _ahead.Clear();
        _isMarkedAhead = false;
        if (isElsewhere)
            Drop();
    }

    private LaneSocket Connect()
    {
        var socket = _socket = new LaneSocket(_connections.OpenOwn(SettleMarked), _poller);
        _scanner.Reset();
        (_receivedEnd, _repliesSeen, _error, _heardAt) = (0, 0, null, MonotonicClock.NowNs());
        _flight.Repeat();
        _isAway = false;
        return socket;
    }

    // Those whose answers were lost with the connection.
    private void SettleMarked(RedisConnection connection)
    {
        var count = _flight.CountMarked((share, unit) => share.Owner.Checkpoint is { } checkpoint
            && connection.Request("HGET", checkpoint.KeyOf(unit.MarkGroup), checkpoint.FieldOf(unit.MarkGroup))
                is { IsError: false } mark
            && checkpoint.Covers(mark.Text, unit.Mark));
        for (; count > 0 && _flight.First is { } chunk; count--)
        {
            ref readonly var unit = ref chunk[chunk.Answered];
            _flight.Answer(chunk);
            End(unit, chunk.Share, chunk.ReceivedNs);
            if (chunk.Answered == chunk.Count)
                _flight.LeaveFirst();
        }
    }

    // What was sent and not answered is sent again, if it may be: nobody knows whether it was carried out.
    private void Restore(RedisConnectionLostException lost)
    {
        var (unknown, first) = _flight.Unrepeatable();
        if (!_flight.IsEmpty)
            _connections.GiveUpOwn();
        _isAway = true;
        Drop();
        if (unknown > 0)
        {
            var commands = unknown == 1
                ? $"{first} was carried out is not known, and it changes the data if it is sent twice"
                : $"{unknown} commands were carried out is not known, and they change the data if they are sent "
                    + $"twice, the first {first}";
            throw new TargetLostException($"{Server}: {lost.Message}. Whether {commands}.", lost);
        }

        // One that takes connections and never answers would be tried for ever.
        if (MonotonicClock.NowNs() - _repliedAt > 2 * _rules.Patience.InNanoseconds)
            throw new TargetLostException($"{Server} does not answer: {lost.Message}", lost);
        _rules.Events.Note("disconnected", $"{Server}: {lost.Message}");
    }

    private void Drop()
    {
        _socket?.Dispose();
        _socket = null;
    }
}
