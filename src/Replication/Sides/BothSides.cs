using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Sides;

internal sealed class BothSides(DelayPlan plan, RunContext run, SessionEvents events)
    : HeartbeatSide(writes: true, reads: true)
{
    private readonly LinkedNodes _ends = new(plan);
    private LinkWatch? _watch;

    public override string Source => _ends.Source.Name;

    public override string Destination => _ends.Destination.Name;

    public override string? SourceRegion => Options.SourceRegion;

    public override string? DestinationRegion => Options.DestinationRegions.ElementAtOrDefault(0);

    public override IReadOnlyList<ResolvedTarget> Targets => [_ends.Source, _ends.Destination];

    public override LagBytes? Lag => _watch?.Lag;

    public override IEnumerable<string> Notes => _ends.Notes.Concat(_watch?.Notes ?? []);

    private DelayOptions Options => plan.Options;

    public override void Connect(IStopToken stop)
    {
        _ends.Introduce(Options.Output, run.Output);
        _ends.Connect(Options, events, stop);
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

    public override (string Source, string Destination) PlacesOf(int way) =>
        (_ends.Ways[way].Source.LastName, _ends.Ways[way].Destination.LastName);

    public override LagBytes? LagOf(int way) => _watch?.LagAt([_ends.Ways[way].Destination]);

    public override IReadOnlyList<MeasuredTarget> Servers(HeartbeatSession session) => _ends.Targets(
        way => session.Ways[way].Source!.Current, way => session.Ways[way].Destination!.Current);

    public override void Dispose()
    {
        _watch?.Dispose();
        _ends.Dispose();
    }
}
