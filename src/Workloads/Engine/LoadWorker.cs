using RedisLatency.Hosting.Instrument;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;
using RedisLatency.Redis.Transports;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Engine;

/// <summary>
/// One thread of the engine with its own event loop, connections, randomness, recorders and counts; nothing that it
/// writes per operation is written by another thread.
/// </summary>
internal sealed partial class LoadWorker : IStreamReceiver, IDisposable
{
    /// <summary>
    /// How often it looks at the clock for what no reply tells: the end, time limits, new connections.
    /// </summary>
    private const long TickNs = 20_000_000;

    private readonly EnginePlan _plan;
    private readonly WorkerPlace _place;
    private readonly OperationMix _mix;
    private readonly MixedOperation[] _operations;
    private readonly CommandInputs _inputs;
    private readonly RespLimits _limits;
    private readonly StreamLoop _loop;
    private LoadConnection[] _connections;
    private readonly ConnectionOpener _opener;
    private readonly ArrivalSchedule? _schedule;
    private readonly Action<string> _stopAll;
    private readonly Thread _thread;
    private long _start;
    private long _measureFrom;
    private long _stopAt = long.MaxValue;
    private long _left;
    private long _turn;
    private long _now;
    private long _nextTick;
    private readonly int _capacity;
    private int _inFlight;
    private int _connected;
    private bool _isDraining;
    private long _drainedAt;
    private long _drainUntil;
    private long _sentAllAt;
    private volatile bool _stopAsked;
    private volatile Exception? _failure;

    public LoadWorker(
        EnginePlan plan, WorkerPlace place, StreamLoop loop, SlotMapSource? source, Action<string> stopAll)
    {
        _plan = plan;
        _place = place;
        _mix = plan.Mix;
        _operations = [.. plan.Mix.Operations];
        _inputs = plan.Inputs(place);
        _limits = _mix.RepliesAllowed(_inputs.MaximumValueLength);
        _loop = loop;
        _stopAll = stopAll;
        _left = place.Operations ?? long.MaxValue;
        _opener = new ConnectionOpener(plan, loop.Wake);
        _schedule = plan.IsOpenLoop ? new ArrivalSchedule(plan, place.Worker) : null;
        _source = source;
        _connections = source is null ? DirectConnections() : [];
        _withRoom = new Queue<LoadConnection>(plan.ConnectionsPerThread);
        _unstamped = new List<LoadConnection>(plan.ConnectionsPerThread);
        _capacity = plan.ConnectionsPerThread * plan.Pipeline;
        TakeMap();
        Counts = new WorkerCounts(_operations.Length, plan.IsOpenLoop);
        _counts = Counts.Operations;
        _thread = new Thread(Run) { IsBackground = true, Name = $"workload-{place.Worker}" };
    }

    /// <summary>What it counts and records.</summary>
    public WorkerCounts Counts { get; }

    public IReadOnlyList<LoadConnection> Connections => _connections;

    /// <summary>Why the thread ended before its time, or null.</summary>
    public Exception? Failure => _failure;

    public bool IsRunning => _thread.IsAlive;

    /// <summary>Gives a connection what it was opened as, before the start.</summary>
    public void Take(int token, TakenConnection taken) => Adopt(_connections[token], taken);

    public void Start(long startNs)
    {
        _start = startNs;
        _measureFrom = startNs + (long)_plan.WarmUp.TotalNanoseconds;
        if (_plan.Duration is { } duration)
            _stopAt = _measureFrom + (long)duration.TotalNanoseconds;
        Counts.MeasuredFrom = _measureFrom;
        _thread.Start();
    }

    /// <summary>Sends nothing new; from any thread.</summary>
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
        _opener.Dispose();
        // The loop first: it belongs to the thread that has ended, and can only be closed.
        _loop.Dispose();
        foreach (var connection in _connections)
        {
            if (connection.Socket is not null)
                Release(connection);
        }
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
                _loop.Poll(this, Math.Max(_start - MonotonicClock.NowNs(), 0));
            while ((_now = MonotonicClock.NowNs()) < _start && !_stopAsked);
            Counts.BeginBusy(_now);
            _nextTick = _now;
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
            GiveUpWaiting();
            Counts.Ends = EndsOfTargets();
            AbandonInFlight();
            Counts.EndMeasuring(MonotonicClock.NowNs());
        }
    }

    private LoadConnection[] DirectConnections()
    {
        // They are written one after the other: one buffer, which so stays in the cache, is enough for all.
        var requests = new RequestBuffer();
        return
        [
            .. Enumerable.Range(0, _plan.ConnectionsPerThread).Select(token =>
            {
                var number = (_place.Worker * _plan.ConnectionsPerThread) + token;
                var endpoint = _plan.Endpoints[number % _plan.Endpoints.Count];
                return NewConnection(token, endpoint, requests);
            }),
        ];
    }

    private LoadConnection NewConnection(
        int token, RedisEndpoint endpoint, RequestBuffer requests, NodeConnections? server = null) =>
        new(token, endpoint, _plan.Pipeline, requests) { Scanner = new ReplyScanner(_limits), Server = server };

    private void RunClosed()
    {
        Tick();
        foreach (var connection in _connections)
        {
            Refill(connection);
            Flush(connection);
        }

        FlushRouted();
        while (!IsFinished())
        {
            if (_loop.Poll(this, Math.Max(_nextTick - _now, 0)) == 0)
                _now = MonotonicClock.NowNs();
            if (_now >= _nextTick || _stopAsked != _isDraining)
                Tick();
        }
    }

    private bool IsFinished() => _isDraining && (_inFlight == 0 || _now >= _drainUntil);

    /// <summary>What is looked at now and then.</summary>
    private void Tick()
    {
        // What is counted for the measured stretch alone begins with it.
        _nextTick = _now < _measureFrom ? Math.Min(_now + TickNs, _measureFrom) : _now + TickNs;
        Counts.Publish(_now);
        TakeMap();
        TakeOpened();
        EndLateCommands();
        CloseRetired();
        LookForReplicas(ReplicaLookNs);
        if (!_isDraining && (_stopAsked || _now >= _stopAt || HasSentAll()))
            Drain();
        SendDueAgain();
        // Operations that a node took with it when it died leave room, and no reply will come to fill it.
        if (_source is not null && _schedule is null)
            RefillRouted();
        FlushRouted();
    }

    private bool HasSentAll()
    {
        if (_left > 0)
            return false;
        if (_plan.OnError != ErrorPolicy.Retry && _source is null)
            return true;
        // The last ones may have to be sent again too.
        _sentAllAt = _sentAllAt == 0 ? _now : _sentAllAt;
        return _inFlight == 0 || _now - _sentAllAt >= (long)_plan.DrainLimit.TotalNanoseconds;
    }

    private void Drain()
    {
        _isDraining = true;
        _stopAsked = true;
        _drainUntil = _now + (long)_plan.DrainLimit.TotalNanoseconds;
        _drainedAt = _now;
        Counts.EndMeasuring(_now, _sentAllAt == 0 ? _stopAt : Math.Min(_stopAt, _sentAllAt));
        foreach (var connection in _connections)
            connection.MarkEnd();
        // Of several servers one may be about to be reached: what waits for it has as long as what waits for replies.
        if (_source is null)
            GiveUpWaiting();
    }
}
