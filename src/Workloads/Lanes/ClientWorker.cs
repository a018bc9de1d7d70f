using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.StackExchange;
using RedisLatency.Redis.Topology;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Lanes;

/// <summary>One multiplexer's callers, on any thread; what they share is under one lock. A thread keeps time.</summary>
internal sealed partial class ClientWorker : LoadWorker, IDueSender
{
    // A node that hangs, and is asked first, takes two seconds of it.
    private static readonly TimeSpan RenewalLimit = TimeSpan.FromSeconds(5);

    private readonly Lock _lock = new();
    private readonly AutoResetEvent _news = new(initialState: false);
    private readonly ClientCommand[][] _commands;
    private readonly ClientCommand[][] _following;
    private readonly RequestBuffer _requests = new();
    private readonly ProcessUse _use;
    private readonly Action<string> _stopAll;
    private readonly ScheduledSending? _schedule;
    private readonly WakeUpLead _wakeUp = new();
    private readonly ClientOperation[] _callers;
    private readonly Queue<ClientOperation> _idle = [];
    private readonly CancellationTokenSource _draining = new();
    private readonly CancellationToken _untilDraining;
    private ClientLink[] _links = [];
    private SlotMapSource? _cluster;
    private SlotMap? _firstMap;
    private ClientOperation? _due;
    private bool[] _connectedAtEnd = [];
    private HashSet<HostAndPort> _awayAtEnd = [];
    private ClientOperation[] _waitingAtEnd = [];
    private long _aloneSince;

    public ClientWorker(EnginePlan plan, WorkerShare place, ProcessUse use, Action<string> stopAll)
        : base(plan, place, stopAll)
    {
        _use = use;
        _stopAll = stopAll;
        _commands = [.. plan.Mix.Operations.Select(operation => CommandsOf(operation.Command))];
        _following = [.. plan.Mix.Operations.Select(operation => CommandsOf(operation.Command.Then))];
        _schedule = plan.IsOpenLoop
            ? new ScheduledSending(new ArrivalSchedule(plan, place.Worker), Time, Operations, this)
            : null;
        _callers = new ClientOperation[Operations.Capacity];
        _untilDraining = _draining.Token;
    }

    public long Moved => _links.Sum(link => link.Moved);

    public int Protocol => _links[0].Client.Protocol;

    public void Connect(SlotMapSource? source)
    {
        var opened = new List<ClientLink>();
        try
        {
            if (source is not null)
            {
                if (Plan.IsCluster)
                    (_cluster, _firstMap) = (source, source.Current);
                opened.Add(Plan.IsCluster ? ClientLink.Open(Plan, Plan.Endpoints) : ClientLink.Follow(Plan, source));
            }
            else
            {
                foreach (var endpoint in Plan.Endpoints)
                    opened.Add(ClientLink.Open(Plan, [endpoint]));
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

    public override void Dispose()
    {
        base.Dispose();
        foreach (var link in _links)
            link.Dispose();
        _draining.Dispose();
        _news.Dispose();
    }

    // By its thread, under the lock.
    public bool TryBegin(long due)
    {
        if (!_idle.TryDequeue(out _due))
            return false;
        Draw(_due, due);
        return true;
    }

    protected override void Wake() => _news.Set();

    protected override void Run()
    {
        try
        {
            Pacer.WakePrecisely();
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

    private static ClientCommand[] CommandsOf(CommandTemplate? template) =>
        [.. template?.Shapes.Select(shape => new ClientCommand(shape.Name, shape.Keys)) ?? []];

    // Callers take the servers in turn, as connections do.
    private ClientOperation NewCaller(int place)
    {
        var number = (Place.Worker * _callers.Length) + place;
        return new ClientOperation(_links[number % _links.Length]);
    }

    private void WaitForStart()
    {
        for (var now = MonotonicClock.NowNs(); now < Time.Start && !IsStopAsked; now = MonotonicClock.NowNs())
        {
            if (Time.Start - now > TickNs)
                Wait(Time.Start - now - TickNs);
            else
                Pacer.WaitUntil(Time.Start);
        }
    }

    private void RunClosed()
    {
        Tick();
        foreach (var caller in _callers)
            Begin(caller);
        while (!HasFinished())
        {
            Wait(Time.NextTick - MonotonicClock.NowNs());
            Tick();
        }
    }

    private void RunOpen(ScheduledSending schedule)
    {
        schedule.Start();
        foreach (var caller in _callers)
            _idle.Enqueue(caller);
        while (true)
        {
            if (IsTickDueNow())
                Tick();
            if (HasFinished())
                break;
            if (Time.IsDraining)
                Wait(Time.NextTick - Time.Now);
            else if (TakeDue(schedule) is { } caller)
                _ = Call(caller, ClientStep.Send);
            else
                WaitFor(schedule.Due, Time.Now);
        }

        schedule.CountUnsent();
    }

    private ClientOperation? TakeDue(ScheduledSending schedule)
    {
        lock (_lock)
            return schedule.TrySendNext() ? _due : null;
    }

    private void WaitFor(long due, long now)
    {
        var left = Math.Min(due, Time.StopAt) - now;
        if (left <= 0)
            Wait(Time.NextTick - now);
        else if (left > _wakeUp.Ns)
            WaitUntil(Math.Min(now + left - _wakeUp.Ns, Time.NextTick));
        else
            Pacer.SpinUntil(now + left);
    }

    private void WaitUntil(long until)
    {
        Pacer.WaitUntil(until);
        _wakeUp.Learn(until, MonotonicClock.NowNs());
    }

    /// <summary>Starts a caller on the thread pool, where an application's callers are.</summary>
    private void Begin(ClientOperation caller) => ThreadPool.UnsafeQueueUserWorkItem(
        static state => _ = state.Worker.Call(state.Caller, ClientStep.Begin),
        (Worker: this, Caller: caller),
        preferLocal: false);

    /// <summary>Whether the worker's thread has something to look at before its next tick; under the lock.</summary>
    private bool HasNews => (_schedule is { IsFull: true } && _idle.Count > 0)
        || (Operations.Left == 0 && !Time.IsDraining && SentAllAt == 0)
        || (Operations.InFlight == 0 && (Time.IsDraining || Operations.Left == 0));

    private bool IsTickDueNow()
    {
        lock (_lock)
        {
            Time.Now = MonotonicClock.NowNs();
            return IsTickDue;
        }
    }

    private bool HasFinished()
    {
        lock (_lock)
        {
            Time.Now = MonotonicClock.NowNs();
            return IsFinished;
        }
    }

    private void Wait(long ns)
    {
        if (ns > 0)
            _news.WaitOne((int)Math.Min((ns + 999_999) / 1_000_000, 1_000));
    }

    private void Tick()
    {
        bool isOver;
        var now = MonotonicClock.NowNs();
        foreach (var link in _links)
            link.CheckPrimary();
        lock (_lock)
        {
            Time.Now = now;
            if (now >= Time.MeasureFrom)
                _use.Begin(now);
            Time.NextTick = now < Time.MeasureFrom ? Math.Min(now + TickNs, Time.MeasureFrom) : now + TickNs;
            CheckConnections(now);
            EndLateOperations(now);
            isOver = IsOver(mayBeSentAgain: Plan.OnError == ErrorPolicy.Retry);
            if (isOver)
                Drain();
        }

        // Not under the lock: whoever waits to send again may go on right here.
        if (isOver)
            _draining.Cancel();
    }

    private void Drain()
    {
        _use.End(Time.Now);
        BeginDraining();
        _connectedAtEnd = [.. _links.Select(link => link.Client.IsConnected)];
        if (_cluster is not null)
            _awayAtEnd = [.. _links[0].Client.Away];
        _waitingAtEnd = [.. _callers.Where(caller => caller.IsInFlight)];
        foreach (var caller in _waitingAtEnd)
            caller.HasAnswer = caller.IsUnanswered = false;
    }

    private void CheckConnections(long now)
    {
        var (lost, restored, isConnected) = (0L, 0L, false);
        foreach (var link in _links)
        {
            lost += link.ConnectionsLost;
            restored += link.Reconnected;
            isConnected |= link.Client.IsConnected;
        }

        (Counts.Load.ConnectionsLost, Counts.Load.Reconnected) = (lost, restored);
        if (isConnected || _aloneSince == 0)
            _aloneSince = now;
        if (!Time.IsDraining && now - _aloneSince > Plan.ReconnectLimit.InNanoseconds)
            throw new RedisConnectionLostException($"{Plan.Endpoints[0]}: all connections are lost");
    }

    private TargetEnd[] EndsOfTargets() =>
    [
        .. _links.Select((_, place) => new TargetEnd(
            Plan.Endpoints[place], _connectedAtEnd[place], IsWaiting: false, IsSilent: false)),
        .. _waitingAtEnd.Select(caller => new TargetEnd(
            Plan.Endpoints[Array.IndexOf(_links, caller.Link)], IsConnected: false, IsWaiting: true,
            !caller.HasAnswer)
        {
            IsStuck = caller.IsUnanswered && _connectedAtEnd[Array.IndexOf(_links, caller.Link)],
        }),
    ];

    // The one client does not tell where an operation waits; its slot does, unless that has moved meanwhile.
    private TargetEnd[] EndsOfPrimaries(SlotMapSource cluster, SlotMap first)
    {
        var map = _awayAtEnd.Count > 0 || _waitingAtEnd.Any(caller => !caller.HasAnswer)
            ? cluster.Renew(first, RenewalLimit)
            : first;
        var ends = map.Shards.Select(shard => shard.Primary.Endpoint).Select(primary => new TargetEnd(
            primary,
            !_awayAtEnd.Contains(new HostAndPort(primary.Host, primary.Port)),
            IsWaiting: false,
            IsSilent: false)).ToList();
        foreach (var caller in _waitingAtEnd)
        {
            var slot = Operations.SlotOf(caller.Slot);
            if (slot >= 0 && map.PrimaryOf(slot) is { } primary && primary == first.PrimaryOf(slot))
            {
                var isConnected = ends.Exists(end => end.Target == primary.Endpoint && end.IsConnected);
                ends.Add(new TargetEnd(primary.Endpoint, IsConnected: false, IsWaiting: true, !caller.HasAnswer)
                {
                    IsStuck = caller.IsUnanswered && isConnected,
                });
            }
        }

        return [.. ends];
    }

    private void End()
    {
        var isAnswered = Failure is null;
        lock (_lock)
        {
            Time.Now = MonotonicClock.NowNs();
            if (!Time.IsDraining)
                Drain();
            foreach (var caller in _callers)
            {
                if (caller is { IsInFlight: true })
                {
                    isAnswered = false;
                    Abandon(caller, isLost: Failure is not null);
                }
            }
        }

        // Who left something open waits no longer.
        foreach (var link in _links.Where(_ => isAnswered))
            link.CheckTurn();
        Counts.Load.Contradictions = _links.Sum(link => link.Contradictions);
        _draining.Cancel();
        // Not under the lock, because it may ask the cluster: those who waited change no more.
        Counts.Ends = _cluster is { } cluster ? EndsOfPrimaries(cluster, _firstMap!) : EndsOfTargets();
    }
}
