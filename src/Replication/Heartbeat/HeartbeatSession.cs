using System.Runtime.ExceptionServices;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Heartbeat;

/// <summary>
/// Writes heartbeats, or reads them, or both, as far as they are of this process: each way and each side on a thread of
/// its own.
/// </summary>
internal sealed class HeartbeatSession : IDisposable
{
    private static readonly TimeSpan LeadTime = TimeSpan.FromMilliseconds(20);

    /// <summary>How long the last heartbeats are looked for: a service that is stopped has to go.</summary>
    private static readonly TimeSpan LastLooks = TimeSpan.FromSeconds(1);

    /// <summary>So much later a side that still goes on is trying for an end that it has lost.</summary>
    private static readonly TimeSpan Grace = TimeSpan.FromMilliseconds(500);

    private static readonly TimeSpan Nap = TimeSpan.FromMilliseconds(50);

    private readonly StopSignal _end = new();
    private readonly CancellationTokenRegistration _stopped;
    private readonly List<BeatWay> _ways = [];
    private volatile Exception? _failure;
    private volatile bool _isDraining;

    /// <summary>Opens every connection.</summary>
    /// <param name="plan">What is wanted.</param>
    /// <param name="stop">Ends it.</param>
    /// <param name="open">Opens the ways of this session.</param>
    /// <exception cref="Redis.RedisException">A connection cannot be had.</exception>
    public HeartbeatSession(HeartbeatPlan plan, IStopToken stop, Func<HeartbeatSession, IEnumerable<BeatWay>> open)
    {
        _stopped = stop.Cancellation.Register(End);
        Schedule = new BeatSchedule(plan.IntervalNs, plan.Beats);
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

        Delays = _ways.Count == 1 ? _ways[0].Delays : new DelayTally([.. _ways.Select(way => way.Delays)]);
    }

    /// <summary>What its keys are known by.</summary>
    public ulong Id { get; } = DelayPlan.NewSession();

    /// <summary>When heartbeats are due; where they are only read, how long that goes on.</summary>
    public BeatSchedule Schedule { get; }

    /// <summary>The ways.</summary>
    public IReadOnlyList<BeatWay> Ways => _ways;

    /// <summary>The delays of all ways.</summary>
    public DelayTally Delays { get; }

    /// <summary>Is asked for when nothing is to be sent or tried any more.</summary>
    public IStopToken Ending => _end;

    /// <summary>
    /// Settles what was found and is old enough, or all of it, where that takes another clock than that of who reads;
    /// null where nothing is left open.
    /// </summary>
    public Action<bool>? Settling { get; init; }

    /// <summary>How far an age may be off now because of the clocks, in nanoseconds.</summary>
    public long NowErrorNs { get; set; }

    /// <summary>The most that a delay may be off because of the clocks, in the window so far.</summary>
    public long WindowErrorNs { get; private set; }

    /// <summary>The same of the whole run.</summary>
    public long ErrorNs { get; private set; }

    /// <summary>Whether it is ending: nothing is due any more.</summary>
    public bool IsEnding => _isDraining || _end.IsRequested;

    /// <summary>Which ends there is no connection to now, in words; null where there are all.</summary>
    public string? Lost
    {
        get
        {
            for (var i = 0; i < _ways.Count; i++)
            {
                if (_ways[i].Lost is { } lost)
                    return lost;
            }

            return null;
        }
    }

    /// <summary>
    /// Which end there was no connection to, or no answer from, at the end; null where there were all.
    /// </summary>
    public string? LostAtEnd { get; private set; }

    /// <summary>What became of the heartbeats of all ways.</summary>
    public BeatCounts Look()
    {
        var sum = default(BeatCounts);
        for (var i = 0; i < _ways.Count; i++)
            sum += _ways[i].Tally.Look();
        return sum;
    }

    /// <summary>The longest age of any way since this was asked before, in nanoseconds.</summary>
    public long TakeLongestAge()
    {
        long longest = 0;
        for (var i = 0; i < _ways.Count; i++)
            longest = Math.Max(longest, _ways[i].Tally.TakeLongestAge());
        return longest;
    }

    /// <summary>Settles what was found. One thread, as all that is about errors.</summary>
    /// <param name="isLast">Whether nothing more comes.</param>
    public void Settle(bool isLast) => Settling?.Invoke(isLast);

    /// <summary>A delay may be off by so much.</summary>
    public void NoteError(long errorNs)
    {
        WindowErrorNs = Math.Max(WindowErrorNs, errorNs);
        ErrorNs = Math.Max(ErrorNs, errorNs);
    }

    /// <summary>Another window begins.</summary>
    public void BeginWindow() => WindowErrorNs = 0;

    /// <summary>Ends it soon.</summary>
    // The pipelines only ask whether, not who.
    public void End() => _end.Request(StopCause.Terminate);

    /// <summary>Ends it soon, because it cannot go on.</summary>
    public void End(Exception failure)
    {
        _failure = failure;
        End();
    }

    /// <summary>Writes and reads until the schedule ends, or it is to end.</summary>
    /// <exception cref="Hosting.Running.TargetLostException">An end went away for good.</exception>
    public void Run()
    {
        Schedule.Begin(MonotonicClock.NowNs() + (LeadTime.Ticks * TimeSpan.NanosecondsPerTick));
        var readers = Start("reader", way => way.Reader is { } reader ? reader.Run : null);
        var writers = Start("writer", way => way.Writer is { } writer ? writer.Run : null);
        // Who has lost an end would try for it for good.
        if (!writers.TrueForAll(writer => JoinUntilOver(writer)))
            End();
        writers.ForEach(writer => writer.Join());
        if (writers.Count == 0)
            AwaitEnd();
        _isDraining = true;
        var until = MonotonicClock.NowNs() + (LastLooks.Ticks * TimeSpan.NanosecondsPerTick);
        _ways.ForEach(way => way.Reader?.Finish(until));
        if (!readers.TrueForAll(reader => reader.Join(LastLooks + Grace)))
            End();
        readers.ForEach(reader => reader.Join());
        LostAtEnd = Lost;
        End();
        foreach (var thread in readers.Concat(writers))
            thread.ThrowIfFailed();
        if (_failure is { } failure)
            ExceptionDispatchInfo.Throw(failure);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _stopped.Dispose();
        _ways.ForEach(way => way.Dispose());
        _end.Dispose();
    }

    /// <returns>False where it goes on although nothing is due any more.</returns>
    private bool JoinUntilOver(SessionThread writer)
    {
        while (!_end.IsRequested && Schedule.DueBy(MonotonicClock.NowNs()) < Schedule.Count)
        {
            if (writer.Join(Nap))
                return true;
        }

        return writer.Join(LastLooks + Grace);
    }

    private void AwaitEnd()
    {
        while (!_end.IsRequested && Schedule.DueBy(MonotonicClock.NowNs()) < Schedule.Count)
            _end.WaitUntilRequested(Nap);
    }

    private List<SessionThread> Start(string side, Func<BeatWay, Action?> runOf)
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
