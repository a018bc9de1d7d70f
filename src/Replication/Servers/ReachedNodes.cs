using System.Diagnostics;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Replication.Servers;

/// <summary>The servers at one end of a link: one alone, or those of a cluster by its slot map.</summary>
internal sealed class ReachedNodes(string role, NodeFacts facts, SessionEvents events) : IDisposable
{
    private readonly SlotMapSource? _map = facts.IsInCluster
        ? SlotMapSource.Open(facts.Target.Endpoint, facts.Target.Connection)
        : null;

    private SlotServers Primaries => field ??= new(facts.Target, _map, isReplica: false);

    public SlotMap? Map => _map?.Current;

    private ResolvedTarget Target => facts.Target;

    private string Role => role;

    public static ReachedNodes Open(string role, NodeFacts facts, string prefix, SessionEvents events)
    {
        if (facts.IsInCluster)
            RequireNoTag(prefix);
        var reached = new ReachedNodes(role, facts, events);
        try
        {
            reached.RequireAllSlots();
            return reached;
        }
        catch
        {
            reached.Dispose();
            throw;
        }
    }

    public void RequireAllSlots()
    {
        if (Map is { IsComplete: false } map)
        {
            throw new RunRefusedException(
                $"{facts.Option} {facts.Target.Name} is a cluster in which no server has slots "
                    + $"{string.Join(' ', map.Missing)}.");
        }
    }

    public static void RequireNoTag(string prefix)
    {
        if (prefix.Contains('{', StringComparison.Ordinal))
        {
            throw new RunRefusedException(
                $"--prefix {prefix}: in a cluster the tag in braces is chosen here, so that each shard has its keys.");
        }
    }

    // Both maps name servers as the cluster itself does, whatever the user called them.
    public bool IsCluster(ReachedNodes other) => Map is { } one && other.Map is { } another
        && another.Shards.Select(shard => shard.Primary.Endpoint.Address)
            .Intersect(one.Shards.Select(shard => shard.Primary.Endpoint.Address)).Any();

    // To the replicas, where the destination is this cluster.
    public KeyRoute WayTo(
        ReachedNodes destination, SharedSlots slots, string prefix, TimeSpan limit, string label, bool reportsSource)
    {
        var to = IsCluster(destination)
            ? new SlotServers(destination.Target, _map, isReplica: true)
            : destination.Primaries;
        var route = new ShardRoute(Primaries, to, slots.Middle, slots.Name, events, reportsSource);
        var keys = new KeyRoute(
            slots.Name,
            slots.PrefixAfter(prefix),
            new ShardServer(role, slots.Name, Primaries, route, servers => servers.Source),
            new ShardServer(destination.Role, slots.Name, to, route, servers => servers.Destination, label));
        destination.Require(keys.Destination, limit);
        return keys;
    }

    public IServerLocator LocatorOf(string key) => _map is null
        ? new FixedServer(role, facts.Target)
        // What becomes of a slot that has no measured keys is nobody's event.
        : At("the slot of a key", KeySlot.Of(Encoding.ASCII.GetBytes(key)), isReplica: false, new SessionEvents());

    public IServerLocator LocatorOf(int slot, string shard, bool isReplica) => _map is null
        ? new FixedServer(role, facts.Target)
        : At(shard, slot, isReplica, events);

    // Waits until a slot's server is known: a replica that is young is not named before it is in step.
    public void Require(IServerLocator locator, TimeSpan limit)
    {
        var began = Stopwatch.GetTimestamp();
        while (locator.Target is null && Stopwatch.GetElapsedTime(began) < limit)
            locator.Renew();
        if (locator.Target is null)
        {
            throw new RunRefusedException(
                $"{facts.Option} {facts.Target.Name}: the cluster names no "
                + $"{(locator.IsReplica ? "replica" : "primary")} that is the {locator.Label}: nothing of that shard "
                + "replicated.");
        }
    }

    public void Dispose() => _map?.Dispose();

    private ShardServer At(string shard, int slot, bool isReplica, SessionEvents events)
    {
        // A source's route has no destination here; a replica's has the primary, so that both change in one step.
        var alone = new SlotServers(facts.Target, map: null, isReplica: false);
        var (from, to) = role == "source" ? (Primaries, alone)
            : isReplica ? (Primaries, new SlotServers(facts.Target, _map, isReplica: true))
            : (alone, Primaries);
        var route = new ShardRoute(from, to, slot, shard, events);
        return role == "source"
            ? new ShardServer(role, shard, from, route, servers => servers.Source)
            : new ShardServer(role, shard, to, route, servers => servers.Destination);
    }
}
