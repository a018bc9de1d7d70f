using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.StackExchange;
using RedisLatency.Redis.Topology;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Lanes;

/// <summary>One multiplexer's callers, on any thread; what they share is under one lock. A thread keeps time.</summary>
internal sealed partial class ClientWorker : IDisposable
{
    // How often what no reply tells is looked at: the end, time limits, lost connections.
    private const long TickNs = 20_000_000;

    private readonly Lock _lock = new();
    private readonly AutoResetEvent _news = new(initialState: false);
    private readonly EnginePlan _plan;
    private readonly WorkerPlace _place;
    private readonly MixedOperation[] _operations;
    private readonly ClientCommand[][] _commands;
    private readonly ClientCommand[][] _following;
    private readonly CommandInputs _inputs;
    private readonly RequestBuffer _requests = new();
    private readonly ProcessUse _use;
    private readonly Action<string> _stopAll;
    private readonly ArrivalSchedule? _schedule;
    private readonly ClientOperation[] _callers;
    private readonly Queue<ClientOperation> _idle = [];
    private readonly CancellationTokenSource _draining = new();
    private readonly CancellationToken _untilDraining;
    private readonly Thread _thread;
    private ClientLink[] _links = [];
    private long _start;
    private long _measureFrom;
    private long _stopAt = long.MaxValue;
    private long _left;
    private long _turn;
    private int _inFlight;
    private volatile bool _isDraining;
    private volatile bool _stopAsked;
    private long _drainUntil;
    private bool[] _connectedAtEnd = [];
    private ClientOperation[] _waitingAtEnd = [];
    private long _sentAllAt;
    private long _aloneSince;
    private long _nextTick;
    private volatile Exception? _failure;

    public ClientWorker(EnginePlan plan, WorkerPlace place, ProcessUse use, Action<string> stopAll)
    {
        _plan = plan;
        _place = place;
        _use = use;
        _stopAll = stopAll;
        _operations = [.. plan.Mix.Operations];
        _commands = [.. _operations.Select(operation => CommandsOf(operation.Command))];
        _following = [.. _operations.Select(operation => CommandsOf(operation.Command.Then))];
        _inputs = plan.Inputs(place);
        _left = place.Operations ?? long.MaxValue;
        _schedule = plan.IsOpenLoop ? new ArrivalSchedule(plan, place.Worker) : null;
        _callers = new ClientOperation[plan.ConnectionsPerThread * plan.Pipeline];
        _untilDraining = _draining.Token;
        Counts = new WorkerCounts(_operations.Length, plan.IsOpenLoop);
        _thread = new Thread(Run) { IsBackground = true, Name = $"workload-{place.Worker}" };
    }

    public WorkerCounts Counts { get; }

    public Exception? Failure => _failure;

    public long Moved => _links.Sum(link => link.Moved);

    public int Protocol => _links[0].Client.Protocol;

    /// <exception cref="RedisException">One cannot be opened.</exception>
    public void Connect(SlotMapSource? source)
    {
        var opened = new List<ClientLink>();
        try
        {
            if (source is not null || _plan.IsCluster)
            {
                opened.Add(source is null ? ClientLink.Open(_plan, _plan.Endpoints) : ClientLink.Follow(_plan, source));
            }
            else
            {
                foreach (var endpoint in _plan.Endpoints)
                    opened.Add(ClientLink.Open(_plan, [endpoint]));
            }
        }
        finally
        {
            // Those that were opened before one could not be are closed with the rest.
            _links = [.. opened];
        }

        for (var place = 0; place < _callers.Length; place++)
            _callers[place] = NewCaller(place);
    }

    public void Start(long startNs)
    {
        _start = startNs;
        _measureFrom = startNs + _plan.WarmUp.InNanoseconds;
        if (_plan.Duration is { } duration)
            _stopAt = _measureFrom + duration.InNanoseconds;
        Counts.MeasuredFrom = _measureFrom;
        _thread.Start();
    }

    public void RequestStop()
    {
        _stopAsked = true;
        _news.Set();
    }

    public void Join()
    {
        if (!_thread.ThreadState.HasFlag(ThreadState.Unstarted))
            _thread.Join();
    }

    public void Dispose()
    {
        RequestStop();
        Join();
        foreach (var link in _links)
            link.Dispose();
        _draining.Dispose();
        _news.Dispose();
    }

    private static ClientCommand[] CommandsOf(CommandTemplate? template) =>
        [.. template?.Shapes.Select(shape => new ClientCommand(shape.Name, shape.Keys)) ?? []];

    // Callers take the servers in turn, as connections do.
    private ClientOperation NewCaller(int place)
    {
        var number = (_place.Worker * _callers.Length) + place;
        return new ClientOperation(_links[number % _links.Length]);
    }

    private void Run()
    {
        try
        {
            TimedWait.WakePrecisely();
            WaitForStart();
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
            End();
        }
    }

    private void WaitForStart()
    {
        for (var now = MonotonicClock.NowNs(); now < _start && !_stopAsked; now = MonotonicClock.NowNs())
        {
            if (_start - now > TickNs)
                Wait(_start - now - TickNs);
            else
                TimedWait.Until(_start);
        }
    }

    private void RunClosed()
    {
        Tick();
        foreach (var caller in _callers)
            Begin(caller);
        while (!IsFinished())
        {
            Wait(_nextTick - MonotonicClock.NowNs());
            Tick();
        }
    }

    /// <summary>Starts a caller on the thread pool, where an application's callers are.</summary>
    private void Begin(ClientOperation caller) => ThreadPool.UnsafeQueueUserWorkItem(
        static state => _ = state.Worker.Call(state.Caller, ClientStep.Begin),
        (Worker: this, Caller: caller),
        preferLocal: false);

    /// <summary>Whether the worker's thread has something to look at before its next tick; under the lock.</summary>
    private bool HasNews => (_wantsRoom && _idle.Count > 0) || (_left == 0 && !_isDraining && _sentAllAt == 0)
        || (_inFlight == 0 && (_isDraining || _left == 0));

    private bool IsFinished()
    {
        lock (_lock)
            return _isDraining && (_inFlight == 0 || MonotonicClock.NowNs() >= _drainUntil);
    }

    private void Wait(long ns)
    {
        if (ns > 0)
            _news.WaitOne((int)Math.Min((ns + 999_999) / 1_000_000, 1_000));
    }

    private void Tick()
    {
        var now = MonotonicClock.NowNs();
        bool isOver;
        foreach (var link in _links)
            link.Look(now);
        lock (_lock)
        {
            if (now >= _measureFrom)
                _use.Begin(now);
            _nextTick = now < _measureFrom ? Math.Min(now + TickNs, _measureFrom) : now + TickNs;
            LookAtConnections(now);
            EndLateOperations(now);
            isOver = !_isDraining && (_stopAsked || now >= _stopAt || HasSentAll(now));
            if (isOver)
                Drain(now);
        }

        // Not under the lock: whoever waits to send again may go on right here.
        if (isOver)
            _draining.Cancel();
    }

    private bool HasSentAll(long now)
    {
        if (_left > 0)
            return false;
        if (_plan.OnError != ErrorPolicy.Retry)
            return true;
        // The last ones may have to be sent again too.
        _sentAllAt = _sentAllAt == 0 ? now : _sentAllAt;
        return _inFlight == 0 || now - _sentAllAt >= _plan.DrainLimit.InNanoseconds;
    }

    private void Drain(long now)
    {
        _isDraining = true;
        _stopAsked = true;
        _drainUntil = now + _plan.DrainLimit.InNanoseconds;
        _use.End(now);
        Counts.EndMeasuring(now, _sentAllAt == 0 ? _stopAt : Math.Min(_stopAt, _sentAllAt));
        _connectedAtEnd = [.. _links.Select(link => link.Client.IsConnected)];
        _waitingAtEnd = [.. _callers.Where(caller => caller.IsUnderWay)];
        foreach (var caller in _waitingAtEnd)
            caller.HasAnswer = false;
    }

    private void LookAtConnections(long now)
    {
        var (lost, restored, isConnected) = (0L, 0L, false);
        foreach (var link in _links)
        {
            lost += link.ConnectionsLost;
            restored += link.Reconnected;
            isConnected |= link.Client.IsConnected;
        }

        (Counts.ConnectionsLost, Counts.Reconnected) = (lost, restored);
        if (isConnected || _aloneSince == 0)
            _aloneSince = now;
        if (!_isDraining && now - _aloneSince > _plan.ReconnectLimit.InNanoseconds)
            throw new RedisConnectionLostException($"{_plan.Endpoints[0]}: all connections are lost");
    }

    private void Fail(Exception problem)
    {
        _failure ??= problem;
        _stopAll(problem.Message);
    }

    private TargetEnd[] EndsOfTargets() =>
    [
        .. _links.Select((_, place) => new TargetEnd(
            _plan.Endpoints[place], _connectedAtEnd[place], IsWaiting: false, IsSilent: false)),
        .. _waitingAtEnd.Select(caller => new TargetEnd(
            _plan.Endpoints[Array.IndexOf(_links, caller.Link)], IsConnected: false, IsWaiting: true,
            !caller.HasAnswer)),
    ];

    private void End()
    {
        var now = MonotonicClock.NowNs();
        lock (_lock)
        {
            if (!_isDraining)
                Drain(now);
            Counts.Ends = EndsOfTargets();
            foreach (var caller in _callers)
            {
                if (caller is { IsUnderWay: true })
                    Abandon(caller);
            }
        }

        _draining.Cancel();
    }
}
