using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Figures;
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
            : new HeartbeatSession(plan, stop, session => _ends.Ways.Select(way => Open(way, session, found)));
    }

    public override void Watch(HeartbeatSession session) =>
        _watch = new LinkWatch(_ends.Ways, Options, session.Id, events);

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

    private HeartbeatWay Open(KeyWay way, HeartbeatSession session, Action<long, long> found)
    {
        var key = new HeartbeatKey(way.Prefix, session.Id);
        var source = new LastingPipeline(way.Source, Options.ReconnectTimeout, events, session.Ending);
        LastingPipeline? destination = null;
        try
        {
            destination = new LastingPipeline(way.Destination, Options.ReconnectTimeout, events, session.Ending);
            var tally = new HeartbeatTally(session.Schedule);
            var delays = new DelayTally();
            var beats = new OwnHeartbeats(
                key, tally, delays, plan.HeartbeatIntervalNs, found);
            return new HeartbeatWay
            {
                Shard = way.Shard,
                Tally = tally,
                Delays = delays,
                Writer = new HeartbeatWriter(
                    session.Schedule, tally, key, Options.Expiry, source, events, session.Ending),
                Reader = new HeartbeatReader(beats, plan, destination, events),
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
