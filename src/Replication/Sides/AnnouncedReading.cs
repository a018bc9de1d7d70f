using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Sides;

internal sealed class AnnouncedReading : IDisposable
{
    private readonly ReplicaGuard? _guard;
    private readonly RoleCheck? _role;
    private readonly KeyLooks? _looks;

    public AnnouncedReading(
        Announcement announced, int number, IServerPlace place, WriterClock clock, ReadingKind kind,
        DelayOptions options, SessionEvents events, IStopToken stop)
    {
        (Shard, Number, Place) = (announced.Shards[number], number, place);
        Keys = new AnnouncedKeys(announced, number, clock, Tally);
        Delays = new CorrectedDelays(clock, Tally);
        Destination = new LastingPipeline(place, options.ReconnectTimeout, events, stop);
        var intervalNs = announced.IntervalNs * announced.Shards.Count;
        // The map of a cluster may be older here than where its writer is.
        if (kind == ReadingKind.Polling)
        {
            _guard = place.IsReplica ? new ReplicaGuard(Destination, options.ReconnectTimeout) : null;
            Reader = new PollingReader(Keys, announced.Session, Shard.Prefix, options, Destination, events, intervalNs, _guard);
            return;
        }

        var subscription = new PushSubscription(
            kind, KeyNames.Begin(Shard.Prefix, announced.Session), Destination.Target.Endpoint.Database, options.Prefix);
        _role = place.IsReplica ? new RoleCheck() : null;
        _looks = kind == ReadingKind.Publish ? null : new KeyLooks(place, Shard.Prefix, announced.Session, _role);
        Reader = new PushReader(
            Keys, subscription, dueOf: null, options.Deadline, Destination, _looks,
            new LinkStandstill(Destination.Label, intervalNs, events));
    }

    public AnnouncedShard Shard { get; }
    public int Number { get; }
    public IServerPlace Place { get; }
    public AnnouncedKeys Keys { get; }
    public DelayTally Tally { get; } = new();
    public CorrectedDelays Delays { get; }
    public LastingPipeline Destination { get; }
    public IKeyReader Reader { get; }

    public void Dispose()
    {
        _looks?.Dispose();
        Destination.Dispose();
        _role?.Dispose();
        _guard?.Dispose();
    }
}
