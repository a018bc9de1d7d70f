using System.Diagnostics;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis.Topology;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Shards;

/// <summary>One end, the other being another process's: a server alone, or whoever has a cluster's slot now.</summary>
internal sealed class LoneEnd : IDisposable
{
    private readonly string _role;
    private readonly EndFacts _facts;
    private readonly SessionEvents _events;
    private readonly SlotMapSource? _map;
    private readonly ClusterEnd _alone;
    private readonly ClusterEnd _primaries;
    private readonly ClusterEnd _replicas;

    private LoneEnd(string role, EndFacts facts, SessionEvents events)
    {
        (_role, _facts, _events) = (role, facts, events);
        var target = facts.Target;
        _map = facts.IsInCluster ? SlotMapSource.Open(target.Endpoint, target.Connection) : null;
        _alone = new ClusterEnd(target, map: null, isReplica: false);
        _primaries = new ClusterEnd(target, _map, isReplica: false);
        _replicas = new ClusterEnd(target, _map, isReplica: true);
    }

    public SlotMap? Map => _map?.Current;

    public static LoneEnd Open(string role, EndFacts facts, string prefix, SessionEvents events)
    {
        if (facts.IsInCluster)
            ShardWays.RequireNoTag(prefix);
        var end = new LoneEnd(role, facts, events);
        try
        {
            ShardWays.RequireAllSlots(facts, end.Map);
            return end;
        }
        catch
        {
            end.Dispose();
            throw;
        }
    }

    public IServerPlace PlaceOf(string key) => _map is null
        ? new FixedPlace(_role, _facts.Target)
        // What becomes of a slot that has no measured keys is nobody's event.
        : At("the slot of a key", KeySlot.Of(Encoding.ASCII.GetBytes(key)), isReplica: false, new SessionEvents());

    public IServerPlace PlaceOf(int slot, string shard, bool isReplica) => _map is null
        ? new FixedPlace(_role, _facts.Target)
        : At(shard, slot, isReplica, _events);

    // Waits until a slot's server is known: a replica that is young is not named before it is in step.
    public void Require(IServerPlace place, TimeSpan limit)
    {
        var began = Stopwatch.GetTimestamp();
        while (place.Target is null && Stopwatch.GetElapsedTime(began) < limit)
            place.Renew();
        if (place.Target is null)
        {
            throw new RunRefusedException(
                $"{_facts.Option} {_facts.Target.Name}: the cluster names no "
                + $"{(place.IsReplica ? "replica" : "primary")} that is the {place.Label}.");
        }
    }

    public void Dispose() => _map?.Dispose();

    private ShardPlace At(string shard, int slot, bool isReplica, SessionEvents events)
    {
        // A source's route has no other end here; a replica's has the primary, so that both change in one step.
        var (from, to) = _role == "source" ? (_primaries, _alone) : isReplica ? (_primaries, _replicas)
            : (_alone, _primaries);
        var route = new ShardRoute(from, to, slot, shard, events);
        return _role == "source"
            ? new ShardPlace(_role, shard, from, route, servers => servers.Source)
            : new ShardPlace(_role, shard, to, route, servers => servers.Destination);
    }
}
