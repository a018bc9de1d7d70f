using System.Runtime.CompilerServices;
using RedisLatency.Redis;
using RedisLatency.Redis.Resp;
using RedisLatency.Workloads.Commands;

namespace RedisLatency.Workloads.Engine;

internal sealed class WorkerOperations
{
    private readonly EnginePlan _plan;
    private readonly WorkerTime _time;
    private readonly OperationMix _mix;
    private readonly MixedOperation[] _operations;
    private readonly CommandInputs _inputs;
    private readonly OperationCounts[] _counts;
    private readonly bool _isOpenLoop;
    private readonly LatencyStamps _stamps;
    private readonly long[] _turns;
    private readonly RequestBuffer _drawn = new(1024);
    private readonly byte[] _placedKey;
    private long _turn;

    public WorkerOperations(EnginePlan plan, WorkerShare place, WorkerTime time)
    {
        _plan = plan;
        _time = time;
        _mix = plan.Mix;
        _operations = [.. plan.Mix.Operations];
        _inputs = plan.Inputs(place);
        _isOpenLoop = plan.IsOpenLoop;
        _stamps = plan.Stamps;
        Counts = new WorkerCounts(
            _operations.Length, plan.IsOpenLoop, [.. _operations.Select(one => one.Command.Parts is not null)]);
        _placedKey = new byte[_operations.Max(operation => operation.Command.LongestPlacedKey(_inputs))];
        _turns = plan.HasTurnsEach || _inputs.IsByConnection ? new long[place.Connections] : [];
        _counts = Counts.Operations;
        Left = place.Operations ?? long.MaxValue;
        RepliesAllowed = plan.Mix.RepliesAllowed(_inputs.MaximumValueLength);
        Capacity = place.Connections * plan.Pipeline;
    }

    public WorkerCounts Counts { get; }

    public long Left { get; private set; }

    /// <summary>Those that wait to be sent again included.</summary>
    public int InFlight { get; private set; }

    public int Capacity { get; }

    public RespLimits RepliesAllowed { get; }

    public bool IsSending => !_time.IsDraining && Left > 0 && _time.Now < _time.StopAt;

    public bool MayBegin => InFlight < Capacity && IsSending;

    /// <summary>Whether an operation that was refused for now is sent again.</summary>
    public bool MaySendAgain(in InFlightOperation operation) => _plan.OnError == ErrorPolicy.Retry
        && operation.Retries < _plan.MaximumRetries && !_time.IsDraining;

    public ref OperationCounts CountsOf(in InFlightOperation operation) => ref _counts[operation.Series];

    public ErrorCounts ErrorsOf(in InFlightOperation operation) => Counts.Errors[operation.Series];

    /// <summary>Whose replies are awaited; that of a script that was forgotten is answered as the other.</summary>
    public CommandTemplate CommandOf(in InFlightOperation operation)
    {
        var command = _operations[operation.Operation].Command;
        return operation.Stage == 0 ? command : command.Then ?? command.Each ?? command;
    }

    /// <summary>When there was room in flight again: waiting for it is the server's doing.</summary>
    public long RoomSince { get; set; }

    public MixedOperation MixedOf(in InFlightOperation operation) => _operations[operation.Operation];

    public bool IsMeasured(in InFlightOperation operation) => operation.Series < _operations.Length;

    private static ReadOnlySpan<byte> Asking => "*1\r\n$6\r\nASKING\r\n"u8;

    /// <summary>The slot of its key; -1 where any server will do, or the key has yet to be drawn.</summary>
    public int SlotOf(in InFlightOperation operation) =>
        _operations[operation.Operation].Command.SlotOf(_inputs, operation.Key, _placedKey);

    /// <summary>
    /// Says which slot a new operation is for. Where that is known only once its key is drawn, all of it is: returns
    /// its request then, valid until the next call, and nothing otherwise.
    /// </summary>
    public ReadOnlySpan<byte> Place(ref InFlightOperation operation)
    {
        var mixed = _operations[operation.Operation];
        if (mixed.Command.Place.Kind != KeyKind.Drawn)
        {
            operation.Slot = (short)SlotOf(operation);
            return [];
        }

        _drawn.Clear();
        operation.Elements = mixed.Command.Write(_drawn, _inputs, mixed.KeyStream, operation.Key);
        operation.Replies = mixed.Command.Replies;
        operation.RequestLength = _drawn.Length;
        operation.Slot = (short)mixed.Command.Place.SlotIn(_drawn.Written);
        return _drawn.Written;
    }

    public void Begin(LoadConnection connection, long intended)
    {
        ref var slot = ref connection.Push();
        Draw(out slot, intended, connection.Token);
        if (IsMeasured(slot))
            connection.Left--;
        Write(connection.Requests, ref slot, _operations[slot.Operation].Command);
    }

    /// <summary>Writes an operation, as it was drawn where its request is given.</summary>
    public void Write(LoadConnection connection, in InFlightOperation operation, ReadOnlySpan<byte> request)
    {
        ref var slot = ref connection.Push();
        slot = operation;
        slot.Error = ErrorKind.None;
        slot.IsAsking = false;
        if (request.IsEmpty)
        {
            Write(connection.Requests, ref slot, _operations[slot.Operation].Command);
            return;
        }

        slot.RepliesLeft = slot.Replies;
        slot.RequestLength = request.Length;
        connection.Requests.Write(request);
        CountWritten(slot, request.Length);
    }

    /// <summary>The same with ASKING before it: to a node that takes over its slot.</summary>
    public void WriteAsking(LoadConnection connection, in InFlightOperation operation, ReadOnlySpan<byte> request)
    {
        connection.Requests.Write(Asking);
        Write(connection, operation, request);
        ref var slot = ref connection.Newest(1);
        slot.IsAsking = true;
        slot.RepliesLeft++;
        slot.RequestLength += Asking.Length;
    }

    /// <summary>Writes one again that has just failed, with its script.</summary>
    public void WriteUnprepared(LoadConnection connection, in InFlightOperation operation)
    {
        var command = _operations[operation.Operation].Command;
        var request = RequestOf(connection, operation);
        ref var slot = ref connection.Push();
        slot = operation;
        slot.Error = ErrorKind.None;
        slot.IsUnprepared = true;
        slot.RepliesLeft = slot.Replies;
        var before = connection.Requests.Length;
        command.WriteUnprepared(connection.Requests, request);
        slot.RequestLength = connection.Requests.Length - before;
        CountWritten(slot, slot.RequestLength);
    }

    /// <summary>
    /// The request of an operation that has just failed on a connection that keeps what it sent: what is sent again is
    /// the same to the byte. Valid until the next call.
    /// </summary>
    public ReadOnlySpan<byte> RequestOf(LoadConnection connection, in InFlightOperation operation)
    {
        // A copy: the connection may be the one that it is sent on again.
        _drawn.Clear();
        _drawn.Write(connection.Requests.Oldest(operation.RequestLength)[(operation.IsAsking ? Asking.Length : 0)..]);
        return _drawn.Written;
    }

    public void Write(RequestBuffer requests, ref InFlightOperation slot, CommandTemplate command)
    {
        var before = requests.Length;
        slot.Elements = command.Write(requests, _inputs, _operations[slot.Operation].KeyStream, slot.Key);
        slot.RepliesLeft = slot.Replies = command.Replies;
        slot.RequestLength = requests.Length - before;
        CountWritten(slot, slot.RequestLength);
    }

    /// <summary>Where keys go by connection and any will do, the connections have their turns.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Draw(out InFlightOperation slot, long intended, int connection = -1)
    {
        var turn = _turn++;
        if (_turns.Length > 0)
            turn = TurnOf(connection < 0 ? (int)(turn % _turns.Length) : connection);
        var place = _mix.Next(_inputs, turn);
        var operation = _operations[place];
        var isMeasured = intended >= _time.MeasureFrom;
        slot = default;
        slot.Intended = intended;
        slot.Key = operation.Command.HasKey ? _inputs.NextKey(operation.KeyStream) : 0;
        if (operation.Command.Replayed is { } replayed)
            place += replayed[slot.Key % replayed.Length].Name;
        slot.Operation = (short)place;
        slot.Series = (short)(isMeasured ? place : place + _operations.Length);
        _counts[slot.Series].Sent++;
        InFlight++;
        // The last one is not waited for until the next tick.
        if (isMeasured && --Left == 0)
            _time.NextTick = 0;
    }

    // Of operations in turn each connection has all, or one would have the keys that another reads.
    private long TurnOf(int connection)
    {
        _inputs.UseConnection(connection);
        return _turns[connection]++;
    }

    public void TakeBack(in InFlightOperation operation)
    {
        _counts[operation.Series].Sent--;
        InFlight--;
        if (IsMeasured(operation))
            Left++;
    }

    public void CountUnsent()
    {
        Counts.Load.Unsent++;
        Left--;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Begun(ref InFlightOperation slot, long now)
    {
        slot.Sent = _stamps == LatencyStamps.OfFill ? slot.Intended : now;
        if (!_isOpenLoop)
            slot.Intended = now;
        else if (slot.Series < _operations.Length)
            Counts.Lateness.Record(now - Math.Max(slot.Intended, RoomSince));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Complete(
        LoadConnection connection, in InFlightOperation slot, in ScannedReply reply, ReadOnlySpan<byte> bytes)
    {
        var command = _operations[slot.Operation].Command;
        if (slot.Stage == 0)
        {
            if (command.IsRead)
                CountRead(slot, reply.Values, reply.Nulls, bytes.Slice(reply.ContentStart, reply.ContentLength));

            if (command.Then is { } next)
            {
                EndFirst(slot, _time.Now);
                BeginNext(connection, slot, next);
                return;
            }

            if (command.Each is { } each && reply.Values > 0)
            {
                BeginEach(connection, slot, each, bytes);
                return;
            }
        }

        EndWell(slot, _stamps == LatencyStamps.OfBatch ? connection.BatchAnsweredAt : _time.Now);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CountReceived(in InFlightOperation slot, int bytes) => _counts[slot.Series].BytesReceived += bytes;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void CountRead(in InFlightOperation slot, int values, int nulls, ReadOnlySpan<byte> value)
    {
        var command = _operations[slot.Operation].Command;
        if (command.Nothing is { } nothing && value.SequenceEqual(nothing))
            (values, nulls) = (0, 1);
        if (command.ReadsRecord)
            (values, nulls) = values > 0 ? (1, 0) : (0, 1);
        ref var counts = ref _counts[slot.Series];
        counts.Hits += values;
        counts.Misses += nulls;
        if (_plan.Verify && command.ReturnsValue
            && (nulls > 0 ? _inputs.IsLoaded(slot.Key) : !_inputs.IsExpected(slot.Key, value)))
            counts.Mismatched++;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EndWell(in InFlightOperation slot, long now)
    {
        _counts[slot.Series].Completed++;
        if (slot.Stage == 1)
            Counts.SecondParts[slot.Series]?.Record(now - slot.LastSent);
        InFlight--;
        Counts.LastEnded = Math.Max(Counts.LastEnded, now);
        if (slot.Series >= _operations.Length)
            CountAfterWarmUp(ref Counts.Load.WarmUpCompleted, now);
        else if (now > _time.EndsAt)
            Counts.AfterEnd?.Record(now - _time.EndsAt);
        var service = Counts.Service[slot.Series];
        if (_isOpenLoop)
            service.Record(now - slot.Sent, Counts.Response[slot.Series], now - slot.Intended);
        else
            service.Record(now - slot.Sent);
        _inputs.Settle(_operations[slot.Operation].KeyStream, slot.Key);
    }

    /// <summary>The first of its two commands is answered.</summary>
    public void EndFirst(in InFlightOperation slot, long now) =>
        Counts.FirstParts[slot.Series]?.Record(now - slot.LastSent);

    public void EndWithError(in InFlightOperation slot)
    {
        _counts[slot.Series].Errors++;
        if (!IsMeasured(slot))
            CountAfterWarmUp(ref Counts.Load.WarmUpErrors, _time.Now);
        End(slot);
    }

    public void EndAsLost(in InFlightOperation slot)
    {
        _counts[slot.Series].Lost++;
        End(slot);
    }

    public void EndAsTimedOut(in InFlightOperation slot)
    {
        _counts[slot.Series].TimedOut++;
        End(slot);
    }

    private void CountAfterWarmUp(ref long count, long now)
    {
        if (now >= _time.AnswersFrom)
            count++;
    }

    private void BeginEach(
        LoadConnection connection, in InFlightOperation first, CommandTemplate each, ReadOnlySpan<byte> reply)
    {
        ref var slot = ref connection.Push();
        slot = first;
        slot.Stage = 1;
        slot.IsAsking = false;
        slot.Replies = 0;
        slot.Elements = 0;
        var before = connection.Requests.Length;
        foreach (var key in new BulkStrings(reply))
        {
            each.WriteFor(connection.Requests, _inputs, key);
            slot.Replies += each.Replies;
        }

        slot.RepliesLeft = slot.Replies;
        slot.RequestLength = connection.Requests.Length - before;
        CountWritten(slot, slot.RequestLength);
        _counts[slot.Series].Hits += slot.Replies;
    }

    private void BeginNext(LoadConnection connection, in InFlightOperation first, CommandTemplate next)
    {
        ref var slot = ref connection.Push();
        slot = first;
        slot.Stage = 1;
        // What follows is for the same node as the first, which takes over the slot.
        if (slot.IsAsking)
            connection.Requests.Write(Asking);
        Write(connection.Requests, ref slot, next);
        if (!slot.IsAsking)
            return;
        slot.RepliesLeft++;
        slot.RequestLength += Asking.Length;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CountWritten(in InFlightOperation slot, int bytes) => _counts[slot.Series].BytesSent += bytes;

    /// <summary>Of an operation that did not complete: nobody will try it again.</summary>
    private void End(in InFlightOperation slot)
    {
        InFlight--;
        ref var counts = ref _counts[slot.Series];
        counts.LongestFromIntended = Math.Max(counts.LongestFromIntended, _time.Now - slot.Intended);
        if (slot.Sent != 0)
            counts.LongestFromSent = Math.Max(counts.LongestFromSent, _time.Now - slot.Sent);
        // Where operations are counted, the phase lasts until the last of them has ended in whichever way.
        if (Left == 0)
            Counts.LastEnded = _time.Now;
        _inputs.Settle(_operations[slot.Operation].KeyStream, slot.Key);
    }
}
