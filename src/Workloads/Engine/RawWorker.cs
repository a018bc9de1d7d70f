using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Workloads.Engine;

/// <summary>One thread with its event loop, connections, randomness and counts; no other thread writes them.</summary>
internal sealed class RawWorker : LoadWorker, IStreamReceiver
{
    // Operations sent before replies are looked at again: a backlog must not keep them unread, and so grow.
    private const int SendBudget = 64;

    // Until then replies are looked for without waiting; after it, only the clock is read.
    private const long SpinNs = 1_000;

    private readonly StreamLoop _loop;
    private readonly TlsRecords _records;
    private readonly WorkerConnections _connections;
    private readonly RetryQueue _retries;
    private readonly OperationRouting _routing;
    private readonly WorkerReplies _replies;
    private readonly ScheduledSending? _schedule;
    private readonly WakeUpLead _wakeUp = new();
    private long _waitingSince;

    public RawWorker(EnginePlan plan, WorkerShare place, StreamLoop loop, SlotMapSource? source, Action<string> stopAll)
        : base(plan, place, stopAll)
    {
        _loop = loop;
        _records = new TlsRecords(loop);
        _connections = new WorkerConnections(plan, loop, _records, Time, Operations, stopAll);
        _retries = new RetryQueue(Time, Operations);
        _routing = source is null
            ? new DirectRouting(plan, place, Time, Operations, _connections)
            : new NodeRouting(plan, source, Time, Operations, _connections, _retries);
        _replies = new WorkerReplies(plan, Time, Operations, _routing, _retries, stopAll);
        _schedule = plan.IsOpenLoop
            ? new ScheduledSending(new ArrivalSchedule(plan, place.Worker), Time, Operations, _routing)
            : null;
    }

    public IReadOnlyList<LoadConnection> Connections => _connections.All;

    public IReadOnlyList<NodeConnections?> Nodes => (_routing as NodeRouting)?.Nodes ?? [];

    public void Take(int token, TakenConnection taken) => _connections.Adopt(_connections[token], taken);

    public override void Dispose()
    {
        base.Dispose();
        _connections.Dispose();
    }

    public void Received(int token, ReadOnlySpan<byte> bytes)
    {
        Time.Now = MonotonicClock.NowNs();
        if (_waitingSince != 0)
            EndWait();
        var connection = _connections[token];
        if (connection.Tls is { } tls)
            ReceivedRecords(connection, tls, bytes);
        else
            ReceivedPlain(connection, bytes);
    }

    public void Ended(int token, string? cause) => _connections.Ended(_connections[token]);

    private void ReceivedRecords(LoadConnection connection, TlsSession tls, ReadOnlySpan<byte> records)
    {
        tls.Received(records);
        try
        {
            // A reply may break the connection, which ends its session.
            while (connection.Tls == tls && _records.TryRead(tls, out var plain))
                ReceivedPlain(connection, plain);
        }
        catch (RedisException problem)
        {
            _connections.Break(connection, problem.Message);
            return;
        }

        if (connection.Tls == tls)
            _records.Send(connection.Token, tls);
    }

    private void ReceivedPlain(LoadConnection connection, ReadOnlySpan<byte> bytes)
    {
        try
        {
            _replies.Take(connection, bytes);
        }
        catch (RedisProtocolException problem)
        {
            Counts.Load.Contradictions++;
            _connections.Break(connection, problem.Message);
            return;
        }

        if (connection.IsSpent && !Time.IsDraining)
            _connections.Renew(connection);
        GiveRoom(connection);
        _schedule?.TrySendNext();
    }

    private void GiveRoom(LoadConnection connection)
    {
        if (_schedule is null)
            _routing.Refill(connection);
        else
            _routing.Offer(connection);
    }

    protected override void Wake() => _loop.Wake();

    protected override void Run()
    {
        try
        {
            if (Plan.FirstProcessor is { } first
                && ThreadAffinity.Pin(first + Place.Worker - Plan.FirstWorker) is { } problem)
                throw new InvalidOperationException(problem);
            Pacer.WakePrecisely();
            // Stops are asked for by waking the loop; a start that lies far ahead is waited for there.
            while ((Time.Now = MonotonicClock.NowNs()) < Time.Start && !IsStopAsked)
                _loop.Poll(this, Time.Start - Time.Now);
            Counts.BeginBusy(Time.Now);
            Time.NextTick = Time.Now;
            if (_schedule is null)
                RunClosed();
            else
                RunOpen(_schedule);
        }
        catch (Exception problem)
        {
            Fail(problem);
        }
        finally
        {
            _retries.GiveUp();
            Counts.Ends = _connections.Ends();
            _connections.AbandonInFlight(hasFailed: Failure is not null);
            Counts.EndMeasuring(MonotonicClock.NowNs());
        }
    }

    private void RunClosed()
    {
        Tick();
        foreach (var connection in _connections.All)
            _routing.Refill(connection);
        while (!IsFinished)
        {
            if (_loop.Poll(this, Math.Max(Time.NextTick - Time.Now, 0)) == 0)
                Time.Now = MonotonicClock.NowNs();
            if (_connections.HasReopened)
                TakeReopened();
            if (IsTickDue)
                Tick();
        }
    }

    private void RunOpen(ScheduledSending schedule)
    {
        schedule.Start();
        foreach (var connection in _connections.All)
            _routing.Offer(connection);
        while (true)
        {
            Time.Now = MonotonicClock.NowNs();
            if (_connections.HasReopened)
                TakeReopened();
            if (IsTickDue)
                Tick();
            if (IsFinished)
                break;
            if (Time.IsDraining)
                Wait(Time.NextTick - Time.Now);
            else if (!SendDue(schedule))
                WaitFor(schedule.Due);
        }

        schedule.CountUnsent();
    }

    private void Tick()
    {
        // What is counted for the measured stretch alone begins with it.
        Time.NextTick = Time.Now + TickNs;
        if (Time.Now < Time.MeasureFrom)
            Time.TickBy(Time.MeasureFrom);
        Counts.Publish(Time.Now);
        _routing.Tick();
        TakeReopened();
        _connections.CheckReopening();
        _connections.BreakLate();
        if (IsOver(mayBeSentAgain: Plan.OnError == ErrorPolicy.Retry || _routing.AwaitsServers))
            Drain();
        SendDueAgain();
        if (_schedule is null)
            _routing.Refill();
    }

    private void TakeReopened()
    {
        while (_connections.TryTakeReopened(out var connection))
            GiveRoom(connection);
    }

    private void SendDueAgain()
    {
        while (_retries.TryTakeDue(out var waiting))
        {
            // Those behind it may be for another node.
            if (_routing.TrySendAgain(waiting.Operation, waiting.Request))
                waiting.Release();
            else
                _retries.Await(waiting);
        }
    }

    private void Drain()
    {
        BeginDraining();
        _connections.MarkEnd();
        if (!_routing.AwaitsServers)
            _retries.GiveUp();
    }

    private bool SendDue(ScheduledSending schedule)
    {
        for (var sent = 0; sent < SendBudget; sent++)
        {
            if (!schedule.TrySendNext())
                return sent > 0;
        }

        _loop.Poll(this, 0);
        return true;
    }

    private void WaitFor(long due)
    {
        var left = Math.Min(due, Time.StopAt) - Time.Now;
        // Without room only a reply can help, and the schedule may wait.
        if (left <= 0)
            Wait(Time.NextTick - Time.Now);
        else if (left > _wakeUp.Ns)
            WaitUntil(Math.Min(Time.Now + left - _wakeUp.Ns, Time.NextTick));
        else if (left > SpinNs)
            Wait(0);
        else
            Spin(Time.Now + left);
    }

    private void WaitUntil(long until)
    {
        Wait(until - Time.Now);
        _wakeUp.Learn(until, Time.Now);
    }

    private void Spin(long until)
    {
        var since = Time.Now;
        Time.Now = Pacer.SpinUntil(until);
        Counts.IdleNs += Time.Now - since;
    }

    /// <summary>Waits for replies; the time until the first of them comes is idle.</summary>
    private void Wait(long ns)
    {
        _waitingSince = Time.Now;
        _loop.Poll(this, Math.Max(ns, 0));
        if (_waitingSince == 0)
            return;
        Time.Now = MonotonicClock.NowNs();
        EndWait();
    }

    private void EndWait()
    {
        Counts.IdleNs += Time.Now - _waitingSince;
        _waitingSince = 0;
    }
}
