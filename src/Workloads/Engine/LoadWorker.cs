using RedisLatency.Hosting.Instrument;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Redis.Topology;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Engine;

/// <summary>One thread with its event loop, connections, randomness and counts; no other thread writes them.</summary>
internal sealed class LoadWorker : IStreamReceiver, IDisposable
{
    // How often what no reply tells is looked at: the end, time limits, new connections.
    private const long TickNs = 20_000_000;

    // Operations sent before replies are looked at again: a backlog must not keep them unread, and so grow.
    private const int SendBudget = 64;

    // The wait in the kernel ends this long before an operation is due: a wake-up may take as long.
    private const long WakeUpNs = 50_000;

    // Before that, replies are looked for without waiting; after it, only the clock is read.
    private const long SpinNs = 1_000;

    private readonly EnginePlan _plan;
    private readonly WorkerPlace _place;
    private readonly StreamLoop _loop;
    private readonly Action<string> _stopAll;
    private readonly WorkerTime _time = new();
    private readonly WorkerOperations _operations;
    private readonly TlsRecords _records;
    private readonly WorkerConnections _connections;
    private readonly RetryQueue _retries;
    private readonly OperationRouting _routing;
    private readonly WorkerReplies _replies;
    private readonly ScheduledSending? _schedule;
    private readonly Thread _thread;
    private long _drainUntil;
    private long _sentAllAt;
    private long _waitingSince;
    private volatile bool _stopAsked;
    private volatile Exception? _failure;

    public LoadWorker(
        EnginePlan plan, WorkerPlace place, StreamLoop loop, SlotMapSource? source, Action<string> stopAll)
    {
        _plan = plan;
        _place = place;
        _loop = loop;
        _stopAll = stopAll;
        _operations = new WorkerOperations(plan, place, _time);
        _records = new TlsRecords(loop);
        _connections = new WorkerConnections(plan, loop, _records, _time, _operations, stopAll);
        _retries = new RetryQueue(_time, _operations);
        _routing = source is null
            ? new DirectRouting(plan, place, _time, _operations, _connections)
            : new NodeRouting(plan, source, _time, _operations, _connections, _retries);
        _replies = new WorkerReplies(plan, _time, _operations, _routing, _retries, stopAll);
        _schedule = plan.IsOpenLoop
            ? new ScheduledSending(new ArrivalSchedule(plan, place.Worker), _time, _operations, _routing)
            : null;
        _thread = new Thread(Run) { IsBackground = true, Name = $"workload-{place.Worker}" };
    }

    public WorkerCounts Counts => _operations.Counts;

    public IReadOnlyList<LoadConnection> Connections => _connections.All;

    public IReadOnlyList<NodeConnections?> Nodes => (_routing as NodeRouting)?.Nodes ?? [];

    public Exception? Failure => _failure;

    public bool IsRunning => _thread.IsAlive;

    public void Take(int token, TakenConnection taken) => _connections.Adopt(_connections[token], taken);

    public void Start(long startNs)
    {
        _time.Start = startNs;
        _time.MeasureFrom = startNs + _plan.WarmUp.InNanoseconds;
        if (_plan.Duration is { } duration)
            _time.StopAt = _time.MeasureFrom + duration.InNanoseconds;
        Counts.MeasuredFrom = _time.MeasureFrom;
        _thread.Start();
    }

    public void RequestStop()
    {
        _stopAsked = true;
        _loop.Wake();
    }

    public void Join()
    {
        if (_thread.ThreadState.HasFlag(ThreadState.Unstarted))
            return;
        _thread.Join();
    }

    public void Dispose()
    {
        RequestStop();
        Join();
        _connections.Dispose();
    }

    public void Received(int token, ReadOnlySpan<byte> bytes)
    {
        _time.Now = MonotonicClock.NowNs();
        if (_waitingSince != 0)
            EndWait();
        Counts.BytesReceived += bytes.Length;
        var connection = _connections[token];
        if (connection.Tls is { } tls)
            ReceivedRecords(connection, tls, bytes);
        else
            ReceivedPlain(connection, bytes);
    }

    public void Sending() => _connections.StampSent();

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
            Counts.Contradictions++;
            _connections.Break(connection, problem.Message);
            return;
        }

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

    private void Run()
    {
        try
        {
            if (_plan.FirstProcessor is { } first && ThreadAffinity.Pin(first + _place.Worker) is { } problem)
                throw new InvalidOperationException(problem);
            TimedWait.WakePrecisely();
            // Stops are asked for by waking the loop; a start that lies far ahead is waited for there. Once at least:
            // so the loop knows whom to tell of what it sends.
            do
                _loop.Poll(this, Math.Max(_time.Start - MonotonicClock.NowNs(), 0));
            while ((_time.Now = MonotonicClock.NowNs()) < _time.Start && !_stopAsked);
            Counts.BeginBusy(_time.Now);
            _time.NextTick = _time.Now;
            if (_schedule is null)
                RunClosed();
            else
                RunOpen(_schedule);
        }
        catch (Exception problem)
        {
            _failure = problem;
            _stopAll(problem.Message);
        }
        finally
        {
            _retries.GiveUp();
            Counts.Ends = _connections.Ends();
            _connections.AbandonInFlight(hasFailed: _failure is not null);
            Counts.EndMeasuring(MonotonicClock.NowNs());
        }
    }

    private void RunClosed()
    {
        Tick();
        foreach (var connection in _connections.All)
            _routing.Refill(connection);
        while (!IsFinished())
        {
            if (_loop.Poll(this, Math.Max(_time.NextTick - _time.Now, 0)) == 0)
                _time.Now = MonotonicClock.NowNs();
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
            _time.Now = MonotonicClock.NowNs();
            if (IsTickDue)
                Tick();
            if (IsFinished())
                break;
            if (_time.IsDraining)
                Wait(_time.NextTick - _time.Now);
            else if (!SendDue(schedule))
                WaitFor(schedule.Due);
        }

        schedule.CountUnsent();
    }

    private bool IsTickDue => _time.Now >= _time.NextTick || _stopAsked != _time.IsDraining;

    private bool IsFinished() => _time.IsDraining && (_operations.InFlight == 0 || _time.Now >= _drainUntil);

    private void Tick()
    {
        // What is counted for the measured stretch alone begins with it.
        _time.NextTick = _time.Now + TickNs;
        if (_time.Now < _time.MeasureFrom)
            _time.TickBy(_time.MeasureFrom);
        Counts.Publish(_time.Now);
        _routing.Tick();
        while (_connections.TryTakeReopened(out var connection))
            GiveRoom(connection);
        _connections.CheckReopening();
        _connections.BreakLate();
        if (!_time.IsDraining && (_stopAsked || _time.Now >= _time.StopAt || HasSentAll()))
            Drain();
        SendDueAgain();
        if (_schedule is null)
            _routing.Refill();
    }

    private void SendDueAgain()
    {
        while (_retries.TryTakeDue(out var operation))
        {
            // Those behind it may be for another node.
            if (!_routing.TrySendAgain(operation))
                _retries.Await(operation);
        }
    }

    private bool HasSentAll()
    {
        if (_operations.Left > 0)
            return false;
        if (_plan.OnError != ErrorPolicy.Retry && !_routing.AwaitsServers)
            return true;
        // The last ones may have to be sent again too.
        _sentAllAt = _sentAllAt == 0 ? _time.Now : _sentAllAt;
        return _operations.InFlight == 0 || _time.Now - _sentAllAt >= _plan.DrainLimit.InNanoseconds;
    }

    private void Drain()
    {
        _time.IsDraining = true;
        _stopAsked = true;
        _drainUntil = _time.Now + _plan.DrainLimit.InNanoseconds;
        Counts.EndMeasuring(_time.Now, _sentAllAt == 0 ? _time.StopAt : Math.Min(_time.StopAt, _sentAllAt));
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
        var left = Math.Min(due, _time.StopAt) - _time.Now;
        // Without room only a reply can help, and the schedule may wait.
        if (left <= 0)
            Wait(_time.NextTick - _time.Now);
        else if (left > WakeUpNs)
            Wait(Math.Min(left - WakeUpNs, _time.NextTick - _time.Now));
        else if (left > SpinNs || _connections.HasUnstamped)
            Wait(0);
        else
            Spin(_time.Now + left);
    }

    private void Spin(long until)
    {
        var since = _time.Now;
        while ((_time.Now = MonotonicClock.NowNs()) < until)
        {
        }

        Counts.IdleNs += _time.Now - since;
    }

    /// <summary>Waits for replies; the time until the first of them comes is idle.</summary>
    private void Wait(long ns)
    {
        _waitingSince = _time.Now;
        _loop.Poll(this, Math.Max(ns, 0));
        if (_waitingSince == 0)
            return;
        _time.Now = MonotonicClock.NowNs();
        EndWait();
    }

    private void EndWait()
    {
        Counts.IdleNs += _time.Now - _waitingSince;
        _waitingSince = 0;
    }
}
