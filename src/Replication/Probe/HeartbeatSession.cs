using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Monitoring;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Probe;

/// <summary>A session in which each shard has one key, which is used again until it ends.</summary>
internal sealed class HeartbeatSession(DelayPlan plan, SessionEvents events, IStopToken stop)
    : ProbeSession(plan, plan.Heartbeats, events, stop)
{
    private static readonly TimeSpan LastPolls = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Grace = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan Nap = TimeSpan.FromMilliseconds(50);

    private readonly List<HeartbeatTally> _written = [];
    private volatile bool _isDraining;
    private long _wroteUntilNs;

    public MovingAverages Averages { get; } = new();

    // Of each shard, in their order.
    public IReadOnlyList<Heartbeats> Beats => field ??= Destinations is [var one]
        ? [.. one.Shards.Select(shard => (Heartbeats)shard.Probes)]
        : _written;

    public bool IsEnding => _isDraining || Ending.IsRequested;

    public string? LostAtEnd { get; private set; }

    public override DelayCounts Counts => DelayCounts.Sum(Beats, beats => beats.Counts);

    public override double Rate => Beats.Count * 1e9 / Schedule.IntervalNs;

    public override IReadOnlyList<IShardProbes> ReadElsewhere => Destinations.Count == 0 ? _written : [];

    // Who has lost a server would try for it for good.
    protected override IStopToken Reconnecting => Ending;

    private bool GoesOn => !Ending.IsRequested && (Options.Duration is { } whole
        ? MonotonicClock.NowNs() - Schedule.StartNs < whole.InNanoseconds
        : Schedule.DueBy(MonotonicClock.NowNs()) < Schedule.Count);

    // Once nobody writes any more an age only says that, but where something is still on its way.
    public long TakeLongestAge()
    {
        long longest = 0;
        var (now, wrote) = (MonotonicClock.NowNs(), Volatile.Read(ref _wroteUntilNs));
        for (var i = 0; i < Beats.Count; i++)
        {
            var hasEnded = wrote != 0 && Beats[i].Counts.Waiting == 0;
            longest = Math.Max(longest, Beats[i].TakeLongestAge(hasEnded ? wrote : now));
        }

        return longest;
    }

    public override void Describe(ref LiveSnapshot snapshot)
    {
        base.Describe(ref snapshot);
        snapshot.Planned = Options.Duration;
        snapshot.Progress = Options.Duration is { } whole ? Math.Min(1, snapshot.Elapsed / whole) : null;
    }

    public override void Dispose()
    {
        base.Dispose();
        _written.ForEach(tally => tally.Dispose());
    }

    protected override void AddCounts(MetricSet metrics) => DelayMetrics.AddBeats(metrics, () => Counts);

    protected override ProbeWriter NewWriter(KeyStream stream, ReconnectingPipeline pipeline, int index)
    {
        var tally = new HeartbeatTally(Schedule, stream, Id, Averages.Add);
        _written.Add(tally);
        return new HeartbeatWriter(this, tally, pipeline);
    }

    protected override IShardProbes ProbesOf(KeyRoute route)
    {
        _written[route.Stream].IsReadHere = true;
        return _written[route.Stream];
    }

    protected override void Join(IReadOnlyList<SessionThread> writers, IReadOnlyList<SessionThread> readers)
    {
        if (!writers.All(JoinUntilEnd))
            End();
        foreach (var writer in writers)
            writer.Join();
        AwaitEnd();
        _isDraining = true;
        Volatile.Write(ref _wroteUntilNs, MonotonicClock.NowNs());
        var until = _wroteUntilNs + LastPolls.InNanoseconds;
        foreach (var reading in Readings)
            reading.Reader.Close(until);
        if (!readers.All(reader => reader.Join(LastPolls + Grace)))
            End();
        foreach (var reader in readers)
            reader.Join();
        LostAtEnd = Lost;
        End();
    }

    private bool JoinUntilEnd(SessionThread writer)
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
            Ending.WaitUntilRequested(Nap);
    }
}
