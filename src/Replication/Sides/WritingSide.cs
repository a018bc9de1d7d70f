using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Sides;

internal sealed class WritingSide(DelayPlan plan, RunContext run, SessionEvents events)
    : HeartbeatSide(writes: true, reads: false)
{
    private const string ReadElsewhere =
        "Written here and read elsewhere: the delays are in the results of delay read --continuous.";

    private readonly SourceSide _side = new(plan, events);
    private RepeatedAnnouncement? _announcement;
    private HeartbeatSession? _session;
    private NodeWatchers? _watch;

    public override string Source => _side.Source.Name;

    public override string Destination => "another process";

    public override string? SourceRegion => Options.Identity.Region;

    public override IReadOnlyList<ResolvedTarget> Targets => [_side.Source, _side.Control];

    public override string Title => $"{Source} written";

    public override string Reading => Destination;

    public override string Clocks => $"this clock was asked {Quantity.Count(_side.Clock?.Answered ?? 0)} times";

    public override IEnumerable<string> Notes => _side.Clock?.Problem is { } problem
        ? [ReadElsewhere, $"Asking for this clock's time: {problem}"]
        : [ReadElsewhere];

    private DelayOptions Options => plan.Options;

    public override void Connect(IStopToken stop) => _side.Connect(stop);

    public override HeartbeatSession? Open(Action<long, long> found, IStopToken stop)
    {
        if (stop.IsRequested)
            return null;
        var session = new HeartbeatSession(
            plan, stop, opened => _side.Shards.Select((_, shard) => Open(shard, opened)));
        try
        {
            var announcer = _side.Answer(session.Id, _side.Shards.Count);
            // A lost source is reported by who writes heartbeats there; it is announced again when it is back.
            _announcement = new RepeatedAnnouncement(
                announcer, new KeyQuestions(_side.PlaceOf(announcer.Key), TimeSpan.Zero, session.Ending));
            // What the source does not take is reported before it begins.
            _announcement.Begin();
            ReplicationLog.Announced(run.Logger, plan.Run, _side.Source.Name);
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
        _session = session;
        _announcement!.GoOn();
        _watch = new NodeWatchers(_side.Places, Options.WatchInterval, events);
    }

    public override void EndWatch()
    {
        if (_session is not null)
            _announcement?.AnnounceEnd(_session.Schedule);
        _watch?.Dispose();
        _watch = null;
    }

    public override (string Source, string Destination) PlacesOf(int way) =>
        (_side.Places[way].LastName, Destination);

    public override IReadOnlyList<MeasuredTarget> Servers(HeartbeatSession session) =>
        _side.Servers(way => session.Ways[way].Source!.Current);

    protected override void Dispose(bool isDisposing)
    {
        _watch?.Dispose();
        _announcement?.Dispose();
        _side.Dispose();
    }

    private HeartbeatWay Open(int shard, HeartbeatSession session)
    {
        var (announced, place) = (_side.Shards[shard], _side.Places[shard]);
        var source = new LastingPipeline(place, Options.ReconnectTimeout, events, session.Ending);
        var tally = new HeartbeatTally(session.Schedule, isReadHere: false);
        var key = new HeartbeatKey(announced.Prefix, session.Id);
        return new HeartbeatWay
        {
            Shard = announced.Slots,
            Tally = tally,
            Writer = new HeartbeatWriter(session.Schedule, tally, key, Options.Expiry, source, events, session.Ending),
            Source = source,
            Owned = tally,
        };
    }
}
