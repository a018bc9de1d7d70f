using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Sides;

internal sealed class BothSides(CommandRun<HeartbeatOptions> command, ILogger<BothSides> logger) : HeartbeatSide
{
    private readonly HeartbeatPlan _plan = new(command.Options.Values);
    private LinkedEnds _ends = null!;
    private SessionEvents _events = null!;
    private LinkWatch? _watch;

    public override bool Writes => true;

    public override bool Reads => true;

    public override string Source => _ends.Source.Name;

    public override string Destination => _ends.Destination.Name;

    public override string? SourceRegion => Options.SourceRegion;

    public override string? DestinationRegion => Options.DestinationRegion;

    public override IReadOnlyList<ResolvedTarget> Targets => [_ends.Source, _ends.Destination];

    public override LagBytes? Lag => _watch?.Lag;

    public override IEnumerable<string> Notes => _ends.Notes.Concat(_watch?.Notes ?? []);

    private HeartbeatOptions Options => _plan.Options;

    public override void Resolve(StandardOutput output)
    {
        _ends = new LinkedEnds(
            Options.Source, Options.Destination is { } one ? [one] : [], Options.Target, command.Surroundings.Environment);
        _ends.Introduce(Options.Output, output);
    }

    public override void Connect(SessionEvents events, IStopToken stop)
    {
        _events = events;
        _ends.Connect(Options, events, stop);
    }

    public override HeartbeatSession? Open(Action<string?, long> found, IStopToken stop)
    {
        _ends.AwaitFirstKeys(Options, stop, logger);
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
        _ends?.Dispose();
    }

    private BeatWay Open(KeyWay way, HeartbeatSession session, Action<string?, long> found)
    {
        var key = new BeatKey(way.Prefix, session.Id);
        var source = new LastingPipeline(way.Source, _plan.ReconnectLimit, _events, session.Ending);
        LastingPipeline? destination = null;
        try
        {
            destination = new LastingPipeline(way.Destination, _plan.ReconnectLimit, _events, session.Ending);
            var tally = new BeatTally(session.Schedule);
            var delays = new DelayTally();
            var beats = new OwnBeats(key, tally, delays, _plan.IntervalNs, delay => found(way.Shard, delay));
            return new BeatWay
            {
                Shard = way.Shard,
                Tally = tally,
                Delays = delays,
                Writer = new BeatWriter(session.Schedule, tally, key, Options.Expiry, source, _events, session.Ending),
                Reader = new BeatReader(beats, _plan, destination, _events),
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
