using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Sides;

/// <summary>The reading side of a shard, or the only one, whose writer is elsewhere.</summary>
internal sealed class AnnouncedReading : IDisposable
{
    private readonly ReplicaGuard? _guard;
    private readonly RoleCheck? _role;
    private readonly KeyLooks? _looks;

    /// <summary>Opens the connection.</summary>
    /// <param name="announced">What the writer announced.</param>
    /// <param name="number">Which of its shards.</param>
    /// <param name="place">Where its keys are read.</param>
    /// <param name="clock">The writer's clock.</param>
    /// <param name="kind">How they are read, as it was decided.</param>
    /// <param name="options">How often and how long.</param>
    /// <param name="events">Where to tell what happens.</param>
    /// <param name="stop">Ends the run.</param>
    /// <exception cref="Redis.RedisException">It cannot be had.</exception>
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
            kind, ProbeKey.Begin(Shard.Prefix, announced.Session), Destination.Target.Endpoint.Database, options.Prefix);
        _role = place.IsReplica ? new RoleCheck() : null;
        _looks = kind == ReadingKind.Publish ? null : new KeyLooks(place, Shard.Prefix, announced.Session, _role);
        Reader = new PushReader(
            Keys, subscription, dueOf: null, options.Deadline, Destination, _looks,
            new LinkStandstill(Destination.Label, intervalNs, events));
    }

    /// <summary>Whose keys.</summary>
    public AnnouncedShard Shard { get; }

    /// <summary>Which of the writer's shards.</summary>
    public int Number { get; }

    /// <summary>Where they are read.</summary>
    public IServerPlace Place { get; }

    /// <summary>The keys.</summary>
    public AnnouncedKeys Keys { get; }

    /// <summary>Their delays.</summary>
    public DelayTally Tally { get; } = new();

    /// <summary>What corrects them.</summary>
    public CorrectedDelays Delays { get; }

    /// <summary>The connection to the destination.</summary>
    public LastingPipeline Destination { get; }

    /// <summary>The one who reads.</summary>
    public IKeyReader Reader { get; }

    /// <inheritdoc/>
    public void Dispose()
    {
        _looks?.Dispose();
        Destination.Dispose();
        _role?.Dispose();
        _guard?.Dispose();
    }
}
