using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Peers.Lanes;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Sides;

internal sealed class WritingSide(CommandRun<HeartbeatOptions> command, ILogger<WritingSide> logger) : HeartbeatSide
{
    private const string ReadElsewhere =
        "Written here and read elsewhere: the delays are in the results of delay heartbeat read.";

    private readonly HeartbeatPlan _plan = new(command.Options.Values);
    private ResolvedTarget _source = null!;
    private ResolvedTarget _control = null!;
    private SessionEvents _events = null!;
    private WritingPlaces? _places;
    private IReadOnlyList<EndFacts> _facts = [];
    private OwnClock? _clock;
    private BeatAnnouncer? _announcer;
    private EndWatchers? _watch;

    public override bool Writes => true;

    public override bool Reads => false;

    public override string Source => _source.Name;

    public override string Destination => "another process";

    public override string? SourceRegion => Options.Identity.Region;

    public override IReadOnlyList<ResolvedTarget> Targets => [_source, _control];

    public override string Title => $"{Source} written";

    public override string Reading => Destination;

    public override string Clocks => $"this clock was asked {Quantity.Count(_clock?.Answered ?? 0)} times";

    public override IEnumerable<string> Notes => _clock?.Problem is { } problem
        ? [ReadElsewhere, $"Asking for this clock's time: {problem}"]
        : [ReadElsewhere];

    private HeartbeatOptions Options => _plan.Options;

    public override void Resolve(StandardOutput output)
    {
        Options.Target.Endpoints = [Options.Source!, Options.Control ?? Options.Source!];
        var targets = TargetResolution.Resolve(Options.Target, command.Surroundings.Environment, PasswordPrompt.Ask);
        (_source, _control) = (targets[0], targets[1]);
    }

    public override void Connect(SessionEvents events, IStopToken stop)
    {
        _events = events;
        InterruptibleStep.Run(
            () =>
            {
                var facts = EndFacts.Look("--source", _source);
                // Any node stands for its cluster.
                if (!facts.IsInCluster)
                    facts.RequireSource();
                _places = WritingPlaces.Find(facts, Options, events);
                _facts = [.. _places.Places.Select(place => EndFacts.Look("--source", place.Require()))];
            },
            stop);
    }

    public override HeartbeatSession? Open(Action<string?, long> found, IStopToken stop)
    {
        if (stop.IsRequested)
            return null;
        var session = new HeartbeatSession(_plan, stop, opened => _places!.Shards.Select((_, shard) => Open(shard, opened)));
        try
        {
            _clock = new OwnClock(
                session.Id, _plan.Run, Options.Probe is { } probe ? ProbeAddress.Parse(probe) : null, _control);
            _announcer = new BeatAnnouncer(_plan, _places!, session, _clock, _source);
            // What the source does not take is told before it begins.
            _announcer.Announce();
            ReplicationLog.Announced(logger, _plan.Run, _source.Name);
            return session;
        }
        catch
        {
            session.Dispose();
            throw;
        }
    }

    public override void Watch(HeartbeatSession session)
    {
        _announcer!.GoOn();
        _watch = new EndWatchers(_places!.Places, Options.WatchInterval, _events);
    }

    public override void EndWatch()
    {
        _announcer?.TellEnd();
        _watch?.Dispose();
        _watch = null;
    }

    public override (string Source, string Destination) PlacesOf(int way) =>
        (_places!.Places[way].LastName, Destination);

    public override IReadOnlyList<MeasuredTarget> Servers(HeartbeatSession session) =>
    [
        .. _facts.Select((facts, way) => DelayRecord.TargetOf(
            _places!.Places[way].Label, facts.Target, facts.Server, session.Ways[way].Source!.Current))
            .DistinctBy(target => target.Endpoint),
    ];

    protected override void Dispose(bool isDisposing)
    {
        _watch?.Dispose();
        _announcer?.Dispose();
        _clock?.Dispose();
        _places?.Dispose();
    }

    private BeatWay Open(int shard, HeartbeatSession session)
    {
        var (announced, place) = (_places!.Shards[shard], _places.Places[shard]);
        var source = new LastingPipeline(place, _plan.ReconnectLimit, _events, session.Ending);
        var tally = new BeatTally(session.Schedule, isReadHere: false);
        var key = new BeatKey(announced.Prefix, session.Id);
        return new BeatWay
        {
            Shard = announced.Slots,
            Tally = tally,
            Writer = new BeatWriter(session.Schedule, tally, key, Options.Expiry, source, _events, session.Ending),
            Source = source,
            Owned = tally,
        };
    }
}
