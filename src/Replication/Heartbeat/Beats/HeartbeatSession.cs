using RedisLatency.Hosting.Running.Signals;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Delay;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Keys;
using RedisLatency.Replication.Delay.Reading;

namespace RedisLatency.Replication.Heartbeat.Beats;

/// <summary>Writes heartbeats at one end and reads them at the other, each way and each side on a thread of its own.</summary>
internal sealed class HeartbeatSession : IDisposable
{
    private static readonly TimeSpan LeadTime = TimeSpan.FromMilliseconds(20);

    /// <summary>How long the last heartbeats are looked for: a service that is stopped has to go.</summary>
    private static readonly TimeSpan LastLooks = TimeSpan.FromSeconds(1);

    private readonly StopSignal _end = new();
    private readonly CancellationTokenRegistration _stopped;
    private readonly List<BeatWay> _ways = [];
    private volatile bool _isDraining;

    /// <summary>Opens every connection.</summary>
    /// <param name="plan">What is wanted.</param>
    /// <param name="ways">From where to where; several where there are shards.</param>
    /// <param name="events">Where to tell what happens.</param>
    /// <param name="found">Is told each delay and its way, in nanoseconds, on the threads that read.</param>
    /// <param name="stop">Ends it.</param>
    /// <exception cref="Redis.RedisException">A connection cannot be had.</exception>
    public HeartbeatSession(
        HeartbeatPlan plan, IReadOnlyList<KeyWay> ways, SessionEvents events, Action<KeyWay, long> found, IStopToken stop)
    {
        _stopped = stop.Cancellation.Register(End);
        Schedule = new BeatSchedule(plan.IntervalNs, plan.Beats);
        try
        {
            foreach (var way in ways)
                _ways.Add(BeatWay.Open(way, plan, Schedule, Id, events, found, _end));
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

    /// <summary>When heartbeats are due.</summary>
    public BeatSchedule Schedule { get; }

    /// <summary>The ways.</summary>
    public IReadOnlyList<BeatWay> Ways => _ways;

    /// <summary>The delays of all ways.</summary>
    public DelayTally Delays { get; }

    /// <summary>Whether it is ending: nothing is due any more.</summary>
    public bool IsEnding => _isDraining || _end.IsRequested;

    /// <summary>Which ends there is no connection to now, in words; null where there are all.</summary>
    public string? Lost
    {
        get
        {
            for (var i = 0; i < _ways.Count; i++)
            {
                if (_ways[i].Writer.IsLost)
                    return $"{_ways[i].Source.Label} is lost";
                if (_ways[i].Reader.IsLost)
                    return $"{_ways[i].Destination.Label} is lost";
            }

            return null;
        }
    }

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

    /// <summary>Ends it soon.</summary>
    // The pipelines only ask whether, not who.
    public void End() => _end.Request(StopCause.Terminate);

    /// <summary>Writes and reads until the schedule ends, or it is to end.</summary>
    /// <exception cref="Hosting.Running.TargetLostException">An end went away for good.</exception>
    public void Run()
    {
        Schedule.Begin(MonotonicClock.NowNs() + (LeadTime.Ticks * TimeSpan.NanosecondsPerTick));
        var readers = Start("reader", way => way.Reader.Run());
        var writers = Start("writer", way => way.Writer.Run());
        writers.ForEach(writer => writer.Join());
        _isDraining = true;
        var until = MonotonicClock.NowNs() + (LastLooks.Ticks * TimeSpan.NanosecondsPerTick);
        _ways.ForEach(way => way.Reader.Finish(until));
        readers.ForEach(reader => reader.Join());
        End();
        foreach (var thread in readers.Concat(writers))
            thread.ThrowIfFailed();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _stopped.Dispose();
        _ways.ForEach(way => way.Dispose());
        _end.Dispose();
    }

    private List<SessionThread> Start(string side, Action<BeatWay> run) => [.. _ways.Select((way, place) => new SessionThread(
        FormattableString.Invariant($"heartbeat-{side}-{place}"), () => run(way), End))];
}
