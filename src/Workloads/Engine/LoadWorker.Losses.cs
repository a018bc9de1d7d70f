using System.Text;
using RedisLatency.Redis.Transports;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Engine;

/// <content>Connections that end and come back, and operations that do not.</content>
internal sealed partial class LoadWorker
{
    private long _nextLook;
    private long _aloneSince;

    /// <inheritdoc/>
    public void Ended(int token, string? cause)
    {
        var connection = _connections[token];
        if (connection.Socket is null)
            return;
        Release(connection);
        Lose(connection);
    }

    private void Adopt(LoadConnection connection, TakenConnection taken)
    {
        (connection.Socket, connection.Tls) = (taken.Socket, taken.Tls);
        _connected++;
        _loop.Add(taken.Socket, connection.Token);
    }

    private void Close(LoadConnection connection)
    {
        _loop.Remove(connection.Token);
        Release(connection);
    }

    private static void Release(LoadConnection connection)
    {
        new TakenConnection(connection.Socket!, connection.Tls).Dispose();
        (connection.Socket, connection.Tls) = (null, null);
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
        Disconnected(connection);
        Counts.ConnectionsLost++;
        if (connection.Unflushed > 0)
            connection.Requests.Clear();
        for (var place = connection.InFlight; place > 0; place--)
        {
            ref var slot = ref connection.Newest(place);
            _counts[slot.Series].Lost++;
            End(slot);
        }

        connection.Clear();
        _source?.Doubt(_routes.Map, connection.Server!.Node);
        if (!_isDraining && connection.Server is not { RetiredAt: > 0 })
            Reopen(connection);
    }

    private void TakeOpened()
    {
        while (_opener.TryTake(out var token, out var taken))
        {
            var connection = _connections[token];
            connection.IsAwaited = false;
            if (connection.Server is { RetiredAt: > 0 })
            {
                taken.Dispose();
                continue;
            }

            Counts.Reconnected++;
            Adopt(connection, taken);
            if (_schedule is not null)
                Offer(connection);
            else
                Refill(connection);
            Flush(connection);
        }

        FlushRouted();
        CountRefusals();
        if ((_lost ?? _opener.Failure) is { } failure)
            throw failure;
        if (_connected == 0 && !_isDraining && _now - _aloneSince > (long)_plan.ReconnectLimit.TotalNanoseconds)
            throw _opener.LastProblem ?? new Redis.RedisConnectionLostException("all connections are lost");
    }

    private void CountRefusals()
    {
        while (_opener.TryTakeRefusal(out var error))
        {
            Counts.Refusals.Count(Encoding.UTF8.GetBytes(error));
            if (_plan.OnError == ErrorPolicy.Stop)
                _stopAll($"a connection was refused: {error}");
        }
    }

    private void EndLateCommands()
    {
        if (_plan.CommandTimeout is not { } limit || _now < _nextLook)
            return;
        var limitNs = (long)limit.TotalNanoseconds;
        _nextLook = _now + (limitNs / 8);
        foreach (var connection in _connections)
        {
            if (IsLate(connection, limitNs))
                EndLate(connection, limitNs);
        }
    }

    private bool IsLate(LoadConnection connection, long limitNs) =>
        connection.Unanswered > 0 && _now - connection.Oldest.LastSent > limitNs;

    private void EndLate(LoadConnection connection, long limitNs)
    {
        // Those sent later may still be in time, but what comes on this connection could not be told apart.
        while (IsLate(connection, limitNs))
        {
            _counts[connection.Oldest.Series].TimedOut++;
            End(connection.Oldest);
            connection.Pop();
        }

        Break(connection, "a command took longer than its time limit");
    }

    /// <summary>
    /// How each connection stood at the end that operations go over; the servers' others are not asked.
    /// </summary>
    private TargetEnd[] EndsOfTargets() =>
    [
        .. _connections
            .Where(connection => connection.Server is not { } server
                || _routes.Map.ShardWith(server.Node)?.Primary == server.Node)
            .Select(connection => new TargetEnd(
                connection.Endpoint, connection.WasConnected, connection.WasWaiting,
                connection.AnsweredAt < _drainedAt)),
    ];

    /// <summary>
    /// At the end: what has had no reply by now has none in time, or has lost who would have taken it.
    /// </summary>
    private void AbandonInFlight()
    {
        foreach (var connection in _connections)
        {
            for (; connection.InFlight > 0; connection.Pop())
            {
                ref var counts = ref _counts[connection.Oldest.Series];
                _ = _failure is null ? counts.TimedOut++ : counts.Lost++;
                End(connection.Oldest);
            }
        }
    }
}
