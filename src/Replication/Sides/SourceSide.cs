using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Peers.Datagrams;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Records;

namespace RedisLatency.Replication.Sides;

internal sealed class SourceSide : IDisposable
{
    private const string Role = "source";

    private readonly DelayPlan _plan;
    private readonly SessionEvents _events;
    private ReachedNodes? _end;
    private IReadOnlyList<NodeFacts> _facts = [];

    public SourceSide(DelayPlan plan, SessionEvents events)
    {
        (_plan, _events) = (plan, events);
        var source = plan.Options.Source ?? throw new InvalidOperationException("There is no source.");
        var targets = plan.ResolveTargets([source, plan.Options.Control ?? source]);
        (Source, Control) = (targets[0], targets[1]);
    }

    public ResolvedTarget Source { get; }
    public ResolvedTarget Control { get; }
    public IReadOnlyList<string> Nodes { get; private set; } = [];
    public IReadOnlyList<AnnouncedShard> Shards { get; private set; } = [];
    public IReadOnlyList<IServerPlace> Places { get; private set; } = [];
    public OwnClock? Clock { get; private set; }

    public IReadOnlyList<(string Prefix, IServerPlace Place)> Streams =>
        [.. Shards.Zip(Places, (shard, place) => (shard.Prefix, place))];

    public void Connect(IStopToken stop) => InterruptibleStep.Run(Connect, stop);

    public IServerPlace PlaceOf(string key) =>
        (_end ?? throw new InvalidOperationException("It is not connected yet.")).PlaceOf(key);

    // Answers readers of a session from now on, and can announce it to them.
    public Announcer Answer(ulong session, int writers)
    {
        Clock = new OwnClock(
            session, _plan.Run, _plan.Options.Probe is { } probe ? ProbeAddress.Parse(probe) : null, Control);
        return new Announcer(_plan, this, session, writers, Clock);
    }

    public IReadOnlyList<MeasuredTarget> Servers(Func<int, RedisPipeline> pipelineTo) =>
        NodeFacts.ToRecord(_facts, Places, pipelineTo);

    public void Dispose()
    {
        Clock?.Dispose();
        _end?.Dispose();
    }

    private void Connect()
    {
        var facts = NodeFacts.Read("--source", Source);
        // Any node stands for its cluster.
        if (!facts.IsInCluster)
            facts.RequireSource();
        _end = ReachedNodes.Open(Role, facts, _plan.Options.Prefix, _events);
        FindPlaces(_end, _plan.Options);
        _facts = [.. Places.Select(place => NodeFacts.Read("--source", place.Require()))];
    }

    private void FindPlaces(ReachedNodes end, DelayOptions options)
    {
        if (end.Map is null && options.Shards is null)
        {
            Places = [end.PlaceOf(options.Prefix)];
            Shards = [new AnnouncedShard(options.Prefix, null, Source.Name)];
            return;
        }

        Nodes = end.Map is null ? [] : ClusterNodeIds.Read(Source);
        ReachedNodes.RequireNoTag(options.Prefix);
        var slots = SharedSlots.Of(end.Map, options.Shards ?? 1);
        Places = [.. slots.Select(one => end.PlaceOf(one.Middle, one.Name, isReplica: false))];
        foreach (var place in Places)
            end.Require(place, options.LinkTimeout);
        Shards =
        [
            .. slots.Zip(Places).Select(one => new AnnouncedShard(
                one.First.PrefixAfter(options.Prefix), one.First, one.Second.Require().Name)),
        ];
    }
}
