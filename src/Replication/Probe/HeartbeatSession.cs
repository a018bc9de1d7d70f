using System.Runtime.ExceptionServices;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Probe;

internal sealed class HeartbeatSession : IDisposable
{
    private static readonly TimeSpan LeadTime = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan LastPolls = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Grace = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan Nap = TimeSpan.FromMilliseconds(50);

    private readonly StopSignal _end = new();
    private readonly DelayPlan _plan;
    private readonly SessionEvents _events;
    private readonly CancellationTokenRegistration _stopped;
    private readonly List<ShardHeartbeats> _ways = [];
    private volatile Exception? _failure;
    private volatile bool _isDraining;

    // open: adds the ways.
    public HeartbeatSession(DelayPlan plan, SessionEvents events, IStopToken stop, Action<HeartbeatSession> open)
    {
        (_plan, _events) = (plan, events);
        _stopped = stop.Cancellation.Register(End);
        Schedule = new HeartbeatSchedule(plan.HeartbeatIntervalNs, plan.Heartbeats);
        try
        {
            open(this);
        }
        catch
        {
            Dispose();
            throw;
        }

        Delays = DelayTally.Of([.. _ways.Select(way => way.Delays)]);
    }

    public ulong Id { get; } = ProbeKey.NewNumber();
    public HeartbeatSchedule Schedule { get; }

    public IReadOnlyList<ShardHeartbeats> Ways => _ways;

    public DelayTally Delays { get; }

    public IStopToken Ending => _end;

    // Settles what was found and is old enough, or all of it, where that takes another clock than that of who reads;
    // null where nothing is left open.
    public Action<bool>? Settling { get; init; }
    public long NowErrorNs { get; set; }
    public long WindowErrorNs { get; private set; }
    public long ErrorNs { get; private set; }

    public bool IsEnding => _isDraining || _end.IsRequested;

    private bool GoesOn => !_end.IsRequested && Schedule.DueBy(MonotonicClock.NowNs()) < Schedule.Count;

    public string? Lost => _ways.Select(way => way.Lost).FirstOrDefault(lost => lost is not null);

    public string? LostAtEnd { get; private set; }

    public ShardHeartbeats Add(string? shard, Heartbeats beats)
    {
        var way = new ShardHeartbeats(_plan, this, shard, beats, _events);
        _ways.Add(way);
        return way;
    }

    public HeartbeatCounts Count()
    {
        var sum = default(HeartbeatCounts);
        for (var i = 0; i < _ways.Count; i++)
            sum += _ways[i].Beats.Count();
        return sum;
    }

    public long TakeLongestAge()
    {
        long longest = 0;
        for (var i = 0; i < _ways.Count; i++)
            longest = Math.Max(longest, _ways[i].Beats.TakeLongestAge());
        return longest;
    }

    public void Settle(bool isLast) => Settling?.Invoke(isLast);

    public void NoteError(long errorNs)
    {
        WindowErrorNs = Math.Max(WindowErrorNs, errorNs);
        ErrorNs = Math.Max(ErrorNs, errorNs);
    }

    public void BeginWindow() => WindowErrorNs = 0;

    // The pipelines only ask whether, not who.
    public void End() => _end.Request(StopCause.Terminate);

    public void End(Exception failure)
    {
        _failure = failure;
        End();
    }

    public void Run()
    {
        Schedule.Begin(MonotonicClock.NowNs() + LeadTime.InNanoseconds);
        var readers = Start("reader", way => way.Reader is { } reader ? reader.Run : null);
        var writers = Start("writer", way => way.Writer is { } writer ? writer.Run : null);
        // Who has lost a server would try for it for good.
        if (!writers.TrueForAll(writer => JoinUntilOver(writer)))
            End();
        writers.ForEach(writer => writer.Join());
        if (writers.Count == 0)
            AwaitEnd();
        _isDraining = true;
        var until = MonotonicClock.NowNs() + LastPolls.InNanoseconds;
        _ways.ForEach(way => way.Reader?.Close(until));
        if (!readers.TrueForAll(reader => reader.Join(LastPolls + Grace)))
            End();
        readers.ForEach(reader => reader.Join());
        LostAtEnd = Lost;
        End();
        foreach (var thread in readers.Concat(writers))
            thread.ThrowIfFailed();
        if (_failure is { } failure)
            ExceptionDispatchInfo.Throw(failure);
    }

    public void Dispose()
    {
        _stopped.Dispose();
        _ways.ForEach(way => way.Dispose());
        _end.Dispose();
    }

    private bool JoinUntilOver(SessionThread writer)
    {
        while (GoesOn)
        {
            if (writer.Join(Nap))
                return true;
        }

        return writer.Join(LastPolls + Grace);
    }

    private void AwaitEnd()
    {
        while (GoesOn)
            _end.WaitUntilRequested(Nap);
    }

    private List<SessionThread> Start(string side, Func<ShardHeartbeats, Action?> runOf)
    {
        var threads = new List<SessionThread>();
        for (var place = 0; place < _ways.Count; place++)
        {
            if (runOf(_ways[place]) is { } run)
                threads.Add(new SessionThread(FormattableString.Invariant($"heartbeat-{side}-{place}"), run, End));
        }

        return threads;
    }
}

/// <summary>One shard's heartbeats, written here, read here, or both.</summary>
internal sealed class ShardHeartbeats(
    DelayPlan plan, HeartbeatSession session, string? shard, Heartbeats beats, SessionEvents events) : IDisposable
{
    private ReplicaGuard? _guard;

    public string? Shard => shard;

    public Heartbeats Beats => beats;

    public DelayTally Delays => beats.Delays;

    public HeartbeatWriter? Writer { get; private set; }
    public HeartbeatReader? Reader { get; private set; }
    public ReconnectingPipeline? Source { get; private set; }
    public ReconnectingPipeline? Destination { get; private set; }

    public string? Lost =>
        Writer is { IsLost: true } ? $"{Source!.Label} is lost"
        : Reader is { IsLost: true } ? $"{Destination!.Label} is lost"
        : null;

    public ShardHeartbeats Write(HeartbeatTally tally, IServerLocator place)
    {
        Source = Open(place);
        Writer = new HeartbeatWriter(session, tally, plan.Options.Expiry, Source, events);
        return this;
    }

    public ShardHeartbeats Read(IServerLocator place, bool isGuarded)
    {
        Destination = Open(place);
        _guard = isGuarded ? new ReplicaGuard(Destination, plan.Options.ReconnectTimeout) : null;
        Reader = new HeartbeatReader(beats, plan, Destination, events, _guard);
        return this;
    }

    public void Dispose()
    {
        Source?.Dispose();
        Destination?.Dispose();
        _guard?.Dispose();
        (beats as IDisposable)?.Dispose();
    }

    private ReconnectingPipeline Open(IServerLocator place) =>
        new(place, plan.Options.ReconnectTimeout, events, session.Ending);
}
