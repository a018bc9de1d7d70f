using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Sides;

internal sealed class BothSides : HeartbeatSide
{
    private readonly DelayPlan _plan;
    private readonly RunContext _run;
    private readonly SessionEvents _events;
    private readonly LinkedEnds _ends;
    private LinkWatch? _watch;

    public BothSides(DelayPlan plan, RunContext run, SessionEvents events)
    {
        (_plan, _run, _events) = (plan, run, events);
        _ends = new LinkedEnds(plan);
        _ends.Introduce(Options.Output, run.Output);
    }

    public override bool Writes => true;

    public override bool Reads => true;

    public override string Source => _ends.Source.Name;

    public override string Destination => _ends.Destination.Name;

    public override string? SourceRegion => Options.SourceRegion;

    public override string? DestinationRegion => Options.DestinationRegions.ElementAtOrDefault(0);

    public override IReadOnlyList<ResolvedTarget> Targets => [_ends.Source, _ends.Destination];

    public override LagBytes? Lag => _watch?.Lag;

    public override IEnumerable<string> Notes => _ends.Notes.Concat(_watch?.Notes ?? []);

    private DelayOptions Options => _plan.Options;

    public override void Connect(IStopToken stop) => _ends.Connect(Options, _events, stop);

    public override HeartbeatSession? Open(Action<string?, long> found, IStopToken stop)
    {
        _ends.AwaitFirstKeys(Options, stop, _run.Logger);
        return stop.IsRequested
            ? null
            : new HeartbeatSession(_plan, stop, session => _ends.Ways.Select(way => Open(way, session, found)));
    }

    public override void Watch(HeartbeatSession session) =>
        _watch = new LinkWatch(_ends.Ways, Options, session.Id, _events);

    public override void EndWatch() => _watch?.Dispose();

    public override (string Source, string Destination) PlacesOf(int way) =>
        (_ends.Ways[way].Source.LastName, _ends.Ways[way].Destination.LastName);

    public override LagBytes? LagOf(int way) => _watch?.LagOf([_ends.Ways[way]]);

    public override IReadOnlyList<MeasuredTarget> Servers(HeartbeatSession session) => _ends.Targets(
        way => session.Ways[way].Source!.Current, way => session.Ways[way].Destination!.Current);

    protected override void Dispose(bool isDisposing)
    {
        _watch?.Dispose();
        _ends.Dispose();
    }

    private HeartbeatWay Open(KeyWay way, HeartbeatSession session, Action<string?, long> found)
    {
        var key = new HeartbeatKey(way.Prefix, session.Id);
        var source = new LastingPipeline(way.Source, Options.ReconnectTimeout, _events, session.Ending);
        LastingPipeline? destination = null;
        try
        {
            destination = new LastingPipeline(way.Destination, Options.ReconnectTimeout, _events, session.Ending);
            var tally = new HeartbeatTally(session.Schedule);
            var delays = new DelayTally();
            var beats = new OwnHeartbeats(
                key, tally, delays, _plan.HeartbeatIntervalNs, delay => found(way.Shard, delay));
            return new HeartbeatWay
            {
                Shard = way.Shard,
                Tally = tally,
                Delays = delays,
                Writer = new HeartbeatWriter(
                    session.Schedule, tally, key, Options.Expiry, source, _events, session.Ending),
                Reader = new HeartbeatReader(beats, _plan, destination, _events),
                Source = source,
                Destination = destination,
                Owned = tally,
            };
        }
        catch
        {
            source.Dispose();
            destination?.Dispose();
            throw;
        }
    }
}
