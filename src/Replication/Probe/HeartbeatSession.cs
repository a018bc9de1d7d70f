using System.Runtime.ExceptionServices;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Probe;

internal sealed class HeartbeatSession : IDisposable
{
    private static readonly TimeSpan LeadTime = TimeSpan.FromMilliseconds(20);
    private static readonly TimeSpan LastPolls = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Grace = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan Nap = TimeSpan.FromMilliseconds(50);

    private readonly StopSignal _end = new();
    private readonly CancellationTokenRegistration _stopped;
    private readonly List<HeartbeatWay> _ways = [];
    private volatile Exception? _failure;
    private volatile bool _isDraining;

    public HeartbeatSession(DelayPlan plan, IStopToken stop, Func<HeartbeatSession, IEnumerable<HeartbeatWay>> open)
    {
        _stopped = stop.Cancellation.Register(End);
        Schedule = new HeartbeatSchedule(plan.HeartbeatIntervalNs, plan.Heartbeats);
        try
        {
            foreach (var way in open(this))
                _ways.Add(way);
        }
        catch
        {
            Dispose();
            throw;
        }

        Delays = DelayTally.Of([.. _ways.Select(way => way.Delays)]);
    }

    public ulong Id { get; } = DelayPlan.NewSession();
    public HeartbeatSchedule Schedule { get; }

    public IReadOnlyList<HeartbeatWay> Ways => _ways;

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

    public HeartbeatCounts Count()
    {
        var sum = default(HeartbeatCounts);
        for (var i = 0; i < _ways.Count; i++)
            sum += _ways[i].Tally.Count();
        return sum;
    }

    public long TakeLongestAge()
    {
        long longest = 0;
        for (var i = 0; i < _ways.Count; i++)
            longest = Math.Max(longest, _ways[i].Tally.TakeLongestAge());
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
        _ways.ForEach(way => way.Reader?.Finish(until));
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

    private List<SessionThread> Start(string side, Func<HeartbeatWay, Action?> runOf)
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

internal sealed class HeartbeatWay : IDisposable
{
    public required string? Shard { get; init; }
    public required IHeartbeatCounter Tally { get; init; }
    public DelayTally Delays { get; init; } = new();
    public HeartbeatWriter? Writer { get; init; }
    public HeartbeatReader? Reader { get; init; }
    public LastingPipeline? Source { get; init; }
    public LastingPipeline? Destination { get; init; }
    public IDisposable? Owned { get; init; }

    public string? Lost =>
        Writer is { IsLost: true } ? $"{Source!.Label} is lost"
        : Reader is { IsLost: true } ? $"{Destination!.Label} is lost"
        : null;

    public void Dispose()
    {
        Source?.Dispose();
        Destination?.Dispose();
        Owned?.Dispose();
    }
}
