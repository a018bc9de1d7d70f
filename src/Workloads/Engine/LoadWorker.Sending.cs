using System.Runtime.CompilerServices;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Engine;

/// <content>How operations leave, in a closed and in an open loop.</content>
internal sealed partial class LoadWorker
{
    /// <summary>
    /// How many operations that are due are sent before replies are looked at again: a backlog must not keep them
    /// unread, which would make it grow.
    /// </summary>
    private const int SendBudget = 64;

    /// <summary>
    /// How long before an operation is due the wait in the kernel ends, because a wake-up from it may take that long.
    /// </summary>
    private const long WakeUpNs = 50_000;

    /// <summary>Before that, replies are looked for without waiting; after it, only the clock is read.</summary>
    private const long SpinNs = 1_000;

    /// <summary>How many keys are drawn at least to find one whose server is there.</summary>
    private const int LeastTries = 16;

    private readonly OperationCounts[] _counts;
    private readonly Queue<LoadConnection> _withRoom;
    private readonly List<LoadConnection> _unstamped;
    private long _waitingSince;
    private long _noRoomAt = long.MinValue;

    private void RunOpen(ArrivalSchedule schedule)
    {
        schedule.Start(_start);
        foreach (var connection in _connections)
            Offer(connection);
        while (true)
        {
            _now = MonotonicClock.NowNs();
            if (_now >= _nextTick || _stopAsked != _isDraining)
                Tick();
            if (IsFinished())
                break;
            if (_isDraining)
                Wait(_nextTick - _now);
            else if (!SendDue(schedule))
                WaitFor(schedule.Due);
        }

        CountUnsent(schedule);
    }

    /// <summary>Sends what is due, up to the budget.</summary>
    /// <returns>Whether there was anything.</returns>
    private bool SendDue(ArrivalSchedule schedule)
    {
        for (var sent = 0; sent < SendBudget; sent++)
        {
            if (!TrySendNext(schedule))
                return sent > 0;
        }

        _loop.Poll(this, 0);
        return true;
    }

    /// <summary>Sends the operation that is due, if one is and a connection has room.</summary>
    private bool TrySendNext(ArrivalSchedule schedule)
    {
        // What the warm-up could not send in its time is left out: it would go in the place of what is measured.
        while (schedule.Due < _measureFrom && _now >= _measureFrom)
            schedule.Take();
        if (schedule.Due > _now || schedule.Due >= _stopAt || _left == 0 || _isDraining)
            return false;
        var connection = _source is null ? NextWithRoom() : null;
        if (_inFlight >= _capacity || (_source is null && connection is null))
        {
            if (connection is not null)
                Offer(connection);
            _noRoomAt = _now;
            return false;
        }

        if (schedule.Due <= _noRoomAt && schedule.Due >= _measureFrom)
            Counts.HeldBack++;
        if (connection is null)
        {
            BeginRouted(schedule.Due);
            FlushRouted();
        }
        else
        {
            Begin(connection, schedule.Due);
            Flush(connection);
            Offer(connection);
        }

        schedule.Take();
        return true;
    }

    private LoadConnection? NextWithRoom()
    {
        while (_withRoom.TryDequeue(out var connection))
        {
            connection.IsQueued = false;
            if (connection.HasRoom)
                return connection;
        }

        return null;
    }

    private void Offer(LoadConnection connection)
    {
        if (connection.IsQueued || !connection.HasRoom)
            return;
        connection.IsQueued = true;
        _withRoom.Enqueue(connection);
    }

    private void WaitFor(long due)
    {
        var left = Math.Min(due, _stopAt) - _now;
        // Without room only a reply can help, and the schedule may wait.
        if (left <= 0)
            Wait(_nextTick - _now);
        else if (left > WakeUpNs)
            Wait(Math.Min(left - WakeUpNs, _nextTick - _now));
        else if (left > SpinNs || _unstamped.Count > 0)
            Wait(0);
        else
            Spin(_now + left);
    }

    private void Spin(long until)
    {
        var since = _now;
        while ((_now = MonotonicClock.NowNs()) < until)
        {
        }

        Counts.IdleNs += _now - since;
    }

    /// <summary>Waits for replies; the time until the first of them comes is idle.</summary>
    private void Wait(long ns)
    {
        _waitingSince = _now;
        _loop.Poll(this, Math.Max(ns, 0));
        if (_waitingSince == 0)
            return;
        _now = MonotonicClock.NowNs();
        EndWait();
    }

    private void EndWait()
    {
        Counts.IdleNs += _now - _waitingSince;
        _waitingSince = 0;
    }

    private void CountUnsent(ArrivalSchedule schedule)
    {
        var end = Math.Min(_stopAt, Counts.MeasuringEnded);
        for (; schedule.Due < end && _left > 0; schedule.Take())
        {
            if (schedule.Due < _measureFrom)
                continue;
            Counts.Unsent++;
            _left--;
        }
    }

    /// <summary>Closed loop: as many new operations as there is room for.</summary>
    private void Refill(LoadConnection connection)
    {
        if (_source is not null)
        {
            connection.Server!.StartAt(connection);
            RefillRouted();
            return;
        }

        while (connection.HasRoom && MayBegin)
            Begin(connection, _now);
    }

    private void RefillRouted()
    {
        // Where nearly all keys are of servers that are away, the next reply or tick goes on trying.
        for (var tries = _capacity + LeastTries; tries > 0 && MayBeginRouted; tries--)
            BeginRouted(_now);
    }

    private bool MayBegin => _inFlight < _capacity && IsSending;

    private bool MayBeginRouted => IsSending && _inFlight - (_waiting.Count == 0 ? 0 : WaitingAside) < _capacity;

    private bool IsSending => !_isDraining && _left > 0 && _now < _stopAt;

    /// <summary>Writes the next operation of the mix into the connection's request buffer.</summary>
    private void Begin(LoadConnection connection, long intended)
    {
        ref var slot = ref connection.Push();
        Draw(out slot, intended);
        var operation = _operations[slot.Operation];
        operation.Command.Write(connection.Requests, _inputs, operation.KeyStream, slot.Key);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Draw(out InFlightOperation slot, long intended)
    {
        var place = _mix.Next(_inputs, _turn++);
        var operation = _operations[place];
        var isMeasured = intended >= _measureFrom;
        slot = default;
        slot.Intended = intended;
        slot.Key = operation.Command.HasKey ? _inputs.NextKey(operation.KeyStream) : 0;
        slot.RepliesLeft = operation.Command.Replies;
        slot.Operation = (short)place;
        slot.Series = (short)(isMeasured ? place : place + _operations.Length);
        _counts[slot.Series].Sent++;
        _inFlight++;
        // The last one is not waited for until the next tick.
        if (isMeasured && --_left == 0)
            _nextTick = 0;
    }

    /// <summary>Sends what was written for this connection, and stamps it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Flush(LoadConnection connection)
    {
        if (connection.Requests.Length > 0)
            Send(connection);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Begun(ref InFlightOperation slot, long now)
    {
        slot.Sent = now;
        if (_schedule is null)
            slot.Intended = now;
        else if (slot.Series < _operations.Length)
            Counts.Lateness.Record(now - slot.Intended);
    }

    /// <inheritdoc/>
    public void Sending()
    {
        _now = MonotonicClock.NowNs();
        foreach (var connection in _unstamped)
        {
            Stamp(connection, connection.Unstamped, _now);
            connection.Unstamped = 0;
        }

        _unstamped.Clear();
    }

    /// <summary>Stamps the newest operations of a connection: they go to the kernel now.</summary>
    private void Stamp(LoadConnection connection, int count, long now)
    {
        for (var place = count; place > 0; place--)
        {
            ref var slot = ref connection.Newest(place);
            slot.LastSent = now;
            // What is sent again, and what follows a first command, began when the operation was first sent.
            if (slot.Sent == 0)
                Begun(ref slot, now);
        }
    }

    private void Send(LoadConnection connection)
    {
        if (_loop.SendsAtOnce)
        {
            _now = MonotonicClock.NowNs();
            Stamp(connection, connection.Unflushed, _now);
        }
        else
        {
            if (connection.Unstamped == 0)
                _unstamped.Add(connection);
            connection.Unstamped += connection.Unflushed;
        }

        connection.Unflushed = 0;
        Counts.BytesSent += connection.Requests.Length;
        if (connection.Tls is { } tls)
        {
            tls.Write(connection.Requests.Written);
            SendRecords(connection, tls);
        }
        else
        {
            _loop.Send(connection.Token, connection.Requests.Written);
        }

        connection.Requests.Clear();
    }
}
