using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Links;
using RedisLatency.Replication.Rendezvous;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Probe;

/// <summary>
/// Which end of a link a process has, or both: the servers that it reaches, whom it meets, and what it says of them.
/// </summary>
internal abstract class ProbeSide(DelayPlan plan, RunContext run, SessionEvents events, bool writes, bool reads)
    : IDisposable
{
    private static readonly TimeSpan LeadTime = TimeSpan.FromMilliseconds(20);

    private ProbeSession? _session;
    private LinkWatch? _watch;

    public bool Writes => writes;

    public bool Reads => reads;

    public ProbeSession Session
    {
        get => _session ?? throw new InvalidOperationException("It is not open yet.");
        protected set => _session = value;
    }

    public abstract LinkEnds Ends { get; }
    public abstract IReadOnlyList<ResolvedTarget> Targets { get; }
    public abstract IReadOnlyList<MeasuredTarget> Servers { get; }

    public virtual string Title => $"{Ends.Source} to {Ends.Destination}";

    public virtual string Reading => "polling";

    public virtual string Clocks => DelayVerdict.OneClock;

    // How far delays may be off, because they are between two clocks.
    public virtual long ErrorNs => 0;

    public virtual long NowErrorNs => 0;

    public virtual long WindowErrorNs => 0;

    public virtual string? HealthProblem => null;

    public virtual DirectRoute? Direct => null;

    // Where delays are known later than they are found.
    public virtual ReadIntervals? Corrected => null;

    // How long WAIT took.
    public IReadOnlyList<MetricSeries> Waits => _watch?.Waits ?? [];

    public virtual IEnumerable<string> Faults => [];

    public virtual IEnumerable<string> Notes => _watch?.Notes ?? [];

    protected DelayPlan Plan => plan;

    protected DelayOptions Options => plan.Options;

    protected RunContext Run => run;

    protected SessionEvents Events => events;

    public abstract void Connect();

    // Until the other end is there. False where the run was stopped before.
    public abstract bool Meet();

    public virtual void Open()
    {
    }

    public virtual void Watch() => _watch = NewWatch();

    public virtual void EndWatch() => _watch?.Dispose();

    // Returns when the first probe is due.
    public virtual long Begin() => MonotonicClock.NowNs() + LeadTime.InNanoseconds;

    // Some times a second, and once when no more is read or written.
    public virtual void Settle(bool isLast)
    {
    }

    public virtual void BeginWindow()
    {
    }

    // What is left to do when measuring has ended.
    public virtual Action? Draining(IntervalLogFile log) => null;

    public void CountMissing() => _watch?.CountMissing();

    public LagBytes? LagAt(IEnumerable<IServerLocator> destinations) => _watch?.LagAt(destinations);

    // To poll for one key of each shard is no load.
    public double? ReadingShareAt(IEnumerable<IServerLocator> destinations) =>
        writes && reads && !plan.IsContinuous ? _watch?.ReadingShareAt(destinations) : null;

    public virtual void Dispose()
    {
        _watch?.Dispose();
        _session?.Dispose();
    }

    protected abstract LinkWatch NewWatch();

    protected ProbeSession NewSession(long keys) => plan.IsContinuous
        ? new HeartbeatSession(plan, events, run.Stop)
        : new KeySession(plan, keys, events, run.Stop);
}
