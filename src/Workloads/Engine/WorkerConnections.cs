using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Redis.Resp;
using RedisLatency.Workloads.Commands;

namespace RedisLatency.Workloads.Engine;

/// <summary>A worker's connections: what is sent on them, how they end and come back, and what is lost then.</summary>
internal sealed class WorkerConnections(
    EnginePlan plan,
    StreamLoop loop,
    TlsRecords records,
    WorkerTime time,
    WorkerOperations operations,
    Action<string> stopAll) : IDisposable
{
    // How long a connection that is being opened again on purpose counts as one.
    private const long RenewalNs = 1_000_000_000;

    private readonly ConnectionOpener _opener = new(plan, loop.Wake);
    private readonly WorkerCounts _counts = operations.Counts;
    private LoadConnection[] _all = [];
    private int _connected;
    private long _aloneSince;
    private long _nextLook;
    private long _drainedAt;

    /// <summary>By token; read by other threads, too.</summary>
    public LoadConnection[] All => _all;

    public LoadConnection this[int token] => _all[token];

    public RedisException? LastProblem => _opener.LastProblem;

    /// <summary>Those that share a buffer for their requests are written in turn.</summary>
    public LoadConnection[] Add(
        IEnumerable<RedisEndpoint> endpoints, RequestBuffer? shared = null, NodeConnections? server = null)
    {
        var first = _all.Length;
        LoadConnection[] added =
        [
            .. endpoints.Select((endpoint, index) =>
                new LoadConnection(first + index, endpoint, plan.Pipeline,
                    shared ?? new RequestBuffer(1024, plan.KeepsRequests))
                {
                    Scanner = new ReplyScanner(operations.RepliesAllowed),
                    Server = server,
                    Lifetime = plan.ReconnectEvery ?? long.MaxValue,
                }),
        ];
        _all = [.. _all, .. added];
        foreach (var connection in added)
            Reopen(connection);
        return added;
    }

    public void Adopt(LoadConnection connection, TakenConnection taken)
    {
        (connection.Socket, connection.Tls) = (taken.Socket, taken.Tls);
        connection.OpenedAt = MonotonicClock.NowNs();
        _connected++;
        loop.Add(taken.Socket, connection.Token);
    }

    public void Reopen(LoadConnection connection)
    {
        // Before the start the engine opens them all itself.
        if (time.Start == 0 || connection.IsAwaited)
            return;
        connection.IsAwaited = true;
        _opener.Request(connection.Token, connection.Endpoint, connection.IsRenewing || connection.HasAnswered);
    }

    /// <summary>Whether connections that were asked for have come.</summary>
    public bool HasReopened => _opener.HasOpened;

    /// <summary>It has had as many requests as it may.</summary>
    public void Renew(LoadConnection connection)
    {
        Close(connection);
        connection.Clear();
        Disconnected(connection);
        connection.IsRenewing = true;
        Reopen(connection);
    }

    public bool TryTakeReopened([NotNullWhen(true)] out LoadConnection? connection)
    {
        while (_opener.TryTake(out var token, out var taken))
        {
            connection = _all[token];
            connection.IsAwaited = false;
            if (connection.Server is { RetiredAt: > 0 })
            {
                taken.Dispose();
                continue;
            }

            if (connection.IsRenewing)
                _counts.Load.Renewed++;
            else
                _counts.Load.Reconnected++;
            connection.IsRenewing = false;
            Adopt(connection, taken);
            return true;
        }

        connection = null;
        return false;
    }

    public void CheckReopening()
    {
        while (_opener.TryTakeRefusal(out var error))
        {
            _counts.Refusals.Count(Encoding.UTF8.GetBytes(error));
            if (plan.OnError == ErrorPolicy.Stop)
                stopAll($"a connection was refused: {error}");
        }

        if (_opener.Failure is { } failure)
            throw failure;
        if (_connected == 0 && !time.IsDraining && time.Now - _aloneSince > plan.ReconnectLimit.InNanoseconds)
            throw _opener.LastProblem ?? new RedisConnectionLostException("all connections are lost");
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Flush(LoadConnection connection)
    {
        if (connection.Requests.Length > 0)
            Send(connection);
    }

    public void Ended(LoadConnection connection)
    {
        if (connection.Socket is null)
            return;
        Release(connection);
        Lose(connection);
    }

    public void Break(LoadConnection connection, string cause)
    {
        _counts.LastBreak = cause;
        Close(connection);
        Lose(connection);
    }

    public void CloseUnused(LoadConnection connection)
    {
        Close(connection);
        connection.Clear();
        Disconnected(connection);
    }

    public void BreakLate()
    {
        if (plan.CommandTimeout is not { } limit || time.Now < _nextLook)
            return;
        var limitNs = limit.InNanoseconds;
        _nextLook = time.Now + (limitNs / 8);
        foreach (var connection in _all)
        {
            if (IsLate(connection, limitNs))
                BreakLate(connection, limitNs);
        }
    }

    public void MarkEnd()
    {
        _drainedAt = time.Now;
        foreach (var connection in _all)
            connection.MarkEnd(connection.IsRenewing && time.Now - connection.AnsweredAt < RenewalNs);
    }

    /// <summary>Of those that operations go over; the servers' others are not asked.</summary>
    public TargetEnd[] Ends() =>
    [
        .. _all
            .Where(connection => connection.Server is null or { IsPrimary: true })
            .Select(connection => new TargetEnd(
                connection.Endpoint, connection.WasConnected, connection.WasWaiting,
                connection.AnsweredAt < _drainedAt)
            {
                IsStuck = connection.WasStuck || (connection is { InFlight: > 0, Socket: not null }
                    && time.Now - connection.AnsweredAt > plan.DrainLimit.InNanoseconds / 2),
            }),
    ];

    /// <summary>What has had no reply by now has none in time, or has lost who would have taken it.</summary>
    public void AbandonInFlight(bool hasFailed)
    {
        foreach (var connection in _all)
        {
            for (; connection.InFlight > 0; connection.Pop())
            {
                if (hasFailed)
                    operations.EndAsLost(connection.Oldest);
                else
                    operations.EndAsTimedOut(connection.Oldest);
            }
        }
    }

    public void Dispose()
    {
        _opener.Dispose();
        // The loop first: it belongs to the thread that has ended, and can only be closed.
        loop.Dispose();
        foreach (var connection in _all)
            Release(connection);
    }

    private static void Release(LoadConnection connection)
    {
        if (connection.Socket is { } socket)
            new TakenConnection(socket, connection.Tls).Dispose();
        (connection.Socket, connection.Tls) = (null, null);
    }

    private void Close(LoadConnection connection)
    {
        loop.Remove(connection.Token);
        Release(connection);
    }

    private void Lose(LoadConnection connection)
    {
        Disconnected(connection);
        _counts.Load.ConnectionsLost++;
        for (var place = connection.InFlight; place > 0; place--)
            operations.EndAsLost(connection.Newest(place));
        connection.Clear();
        connection.Server?.Doubt();
        if (!time.IsDraining && connection.Server is not { RetiredAt: > 0 })
            Reopen(connection);
    }

    private void Disconnected(LoadConnection connection)
    {
        _connected--;
        var now = MonotonicClock.NowNs();
        if (_connected == 0)
            _aloneSince = now;
        if (connection.Server is { IsDown: true } server)
            server.DownSince = now;
    }

    private bool IsLate(LoadConnection connection, long limitNs) =>
        connection.Unanswered > 0 && time.Now - connection.Oldest.LastSent > limitNs;

    private void BreakLate(LoadConnection connection, long limitNs)
    {
        // Those sent later may still be in time, but what comes on this connection could not be told apart.
        connection.WasStuck |= time.IsDraining;
        while (IsLate(connection, limitNs))
        {
            operations.EndAsTimedOut(connection.Oldest);
            connection.Pop();
        }

        Break(connection, "a command took longer than its time limit");
    }

    private void Send(LoadConnection connection)
    {
        time.Now = MonotonicClock.NowNs();
        Stamp(connection, connection.Unflushed, time.Now);
        connection.Unflushed = 0;
        if (connection.Tls is { } tls)
        {
            tls.Write(connection.Requests.Written);
            records.Send(connection.Token, tls);
        }
        else
        {
            loop.Send(connection.Token, connection.Requests.Written);
        }

        connection.Requests.MarkSent();
    }

    private void Stamp(LoadConnection connection, int count, long now)
    {
        for (var place = count; place > 0; place--)
        {
            ref var slot = ref connection.Newest(place);
            slot.LastSent = now;
            // What is sent again, and what follows a first command, began when the operation was first sent.
            if (slot.Sent == 0)
                operations.Begun(ref slot, now);
        }
    }
}

/// <summary>A worker's connections that speak TLS: the loop moves records, replies are in what they hold.</summary>
internal sealed class TlsRecords(StreamLoop loop)
{
    private const int PlainLength = 32 << 10;

    private byte[]? _plain;

    /// <summary>Takes the next bytes out of the records that have come; they are valid until the next call.</summary>
    public bool TryRead(TlsSession session, out ReadOnlySpan<byte> plain)
    {
        _plain ??= GC.AllocateUninitializedArray<byte>(PlainLength);
        var count = session.Read(_plain);
        plain = _plain.AsSpan(0, Math.Max(count, 0));
        return count > 0;
    }

    /// <summary>Sends the session's records: of what was written, and of its own, such as new keys.</summary>
    public void Send(int token, TlsSession session)
    {
        if (session.ToSend.IsEmpty)
            return;
        loop.Send(token, session.ToSend);
        session.Sent();
    }
}
