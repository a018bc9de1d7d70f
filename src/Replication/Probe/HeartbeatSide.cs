using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Links;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Probe;

internal abstract class HeartbeatSide(bool writes, bool reads) : IDisposable
{
    public bool Writes => writes;

    public bool Reads => reads;

    public abstract LinkEnds Ends { get; }
    public abstract IReadOnlyList<ResolvedTarget> Targets { get; }

    public virtual string Title => $"{Ends.Source} to {Ends.Destination}";

    public virtual string Reading => "polling";

    public virtual string Clocks => DelayVerdict.OneClock;

    public virtual string? HealthProblem => null;

    public virtual LagBytes? Lag => null;

    public virtual DirectRoute? Direct => null;

    public virtual IEnumerable<string> Faults => [];

    public virtual IEnumerable<string> Notes => [];

    public abstract void Connect(IStopToken stop);

    public abstract HeartbeatSession? Open(Action<long, long> found, IStopToken stop);

    public abstract void Watch(HeartbeatSession session);

    public abstract void EndWatch();

    public abstract LinkEnds EndsOf(int way);

    public virtual LagBytes? LagOf(int way) => null;

    public abstract IReadOnlyList<MeasuredTarget> Servers(HeartbeatSession session);

    public abstract void Dispose();
}

internal sealed class BothSides(DelayPlan plan, RunContext run, SessionEvents events)
    : HeartbeatSide(writes: true, reads: true)
{
    private readonly LinkedNodes _ends = new(plan);
    private LinkWatch? _watch;

    public override LinkEnds Ends => new(
        _ends.Source.Name, _ends.Destination.Name, Options.SourceRegion,
        Options.DestinationRegions.ElementAtOrDefault(0));

    public override IReadOnlyList<ResolvedTarget> Targets => [_ends.Source, _ends.Destination];

    public override LagBytes? Lag => _watch?.Lag;

    public override IEnumerable<string> Notes => _ends.Notes.Concat(_watch?.Notes ?? []);

    private DelayOptions Options => plan.Options;

    public override void Connect(IStopToken stop)
    {
        _ends.Connect(Options, events, stop, run.Logger);
    }

    public override HeartbeatSession? Open(Action<long, long> found, IStopToken stop)
    {
        _ends.AwaitFirstKeys(Options, stop, run.Logger);
        return stop.IsRequested
            ? null
            : new HeartbeatSession(plan, events, stop, session =>
            {
                foreach (var way in _ends.Ways)
                {
                    var tally = new HeartbeatTally(session.Schedule, new HeartbeatKey(way.Prefix, session.Id), found);
                    session.Add(way.Shard, tally).Write(tally, way.Source).Read(way.Destination, isGuarded: false);
                }
            });
    }

    public override void Watch(HeartbeatSession session) =>
        _watch = new LinkWatch(_ends.Ways, Options, session.Id, events);

    public override void EndWatch() => _watch?.Dispose();

    public override LinkEnds EndsOf(int way) => Ends with
    {
        Source = _ends.Ways[way].Source.LastName,
        Destination = _ends.Ways[way].Destination.LastName,
    };

    public override LagBytes? LagOf(int way) => _watch?.LagAt([_ends.Ways[way].Destination]);

    public override IReadOnlyList<MeasuredTarget> Servers(HeartbeatSession session) => _ends.Targets(
        way => session.Ways[way].Source!.Current, way => session.Ways[way].Destination!.Current);

    public override void Dispose()
    {
        _watch?.Dispose();
        _ends.Dispose();
    }
}
