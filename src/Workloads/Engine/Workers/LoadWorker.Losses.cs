using System.Net.Sockets;
using RedisLatency.Workloads.Engine.Connections;

namespace RedisLatency.Workloads.Engine.Workers;

/// <content>Connections that end and come back, and operations that do not.</content>
internal sealed partial class LoadWorker
{
    private long _heldBackUntil = long.MinValue;
    private long _nextLook;
    private long _aloneSince;

    /// <inheritdoc/>
    public void Ended(int token, string? cause)
    {
        var connection = _connections[token];
        if (connection.Socket is not { } socket)
            return;
        connection.Socket = null;
        socket.Dispose();
        Lose(connection);
    }

    private void Adopt(LoadConnection connection, Socket socket)
    {
        connection.Socket = socket;
        _connected++;
        _loop.Add(socket, connection.Token);
    }

    private void Close(LoadConnection connection)
    {
        _loop.Remove(connection.Token);
        connection.Socket!.Dispose();
        connection.Socket = null;
    }

    /// <summary>Gives a connection up whose replies can no longer be told apart.</summary>
    private void Break(LoadConnection connection, string cause)
    {
        Counts.LastBreak = cause;
        Close(connection);
        Lose(connection);
    }

    private void Lose(LoadConnection connection)
    {
        _connected--;
        if (_connected == 0)
            _aloneSince = _now;
        Counts.ConnectionsLost++;
        if (connection.Unflushed > 0)
            _requests.Clear();
        for (var place = connection.InFlight; place > 0; place--)
        {
            _counts[connection.Newest(place).Series].Lost++;
            _inFlight--;
        }

        connection.Clear();
        if (!_isDraining)
            _opener.Request(connection.Token, connection.Endpoint);
    }

    private void TakeOpened()
    {
        while (_opener.TryTake(out var token, out var socket))
        {
            Counts.Reconnected++;
            var connection = _connections[token];
            Adopt(connection, socket);
            if (_schedule is not null)
                Offer(connection);
            else
                Refill(connection);
            Flush(connection);
        }

        if (_opener.Failure is { } failure)
            throw failure;
        if (_connected == 0 && !_isDraining && _now - _aloneSince > (long)_plan.ReconnectLimit.TotalNanoseconds)
            throw _opener.LastProblem ?? new Redis.RedisConnectionLostException("all connections are lost");
    }

    private void EndLateCommands()
    {
        if (_plan.CommandTimeout is not { } limit || _now < _nextLook)
            return;
        var limitNs = (long)limit.TotalNanoseconds;
        _nextLook = _now + (limitNs / 8);
        foreach (var connection in _connections)
        {
            if (connection.InFlight > 0 && _now - connection.Oldest.Sent > limitNs)
                EndLate(connection, limitNs);
        }
    }

    private void EndLate(LoadConnection connection, long limitNs)
    {
        // Those sent later may still be in time, but what comes on this connection could not be told apart.
        while (connection.InFlight > 0 && _now - connection.Oldest.Sent > limitNs)
        {
            _counts[connection.Oldest.Series].TimedOut++;
            _inFlight--;
            connection.Pop();
        }

        Break(connection, "a command took longer than its time limit");
    }

    /// <summary>At the end: what has had no reply by now has none in time.</summary>
    private void AbandonInFlight()
    {
        foreach (var connection in _connections)
        {
            for (; connection.InFlight > 0; connection.Pop())
            {
                _counts[connection.Oldest.Series].TimedOut++;
                _inFlight--;
            }
        }
    }

    private void SendAgain(LoadConnection connection, ref InFlightOperation operation)
    {
        var mixed = _operations[operation.Operation];
        ref var slot = ref connection.Push();
        slot = operation;
        slot.Retries++;
        slot.HasError = false;
        slot.Stage = 0;
        slot.RepliesLeft = mixed.Command.Replies;
        _counts[slot.Series].Retried++;
        mixed.Command.Write(_requests, _inputs, mixed.KeyStream, slot.Key);
    }
}
