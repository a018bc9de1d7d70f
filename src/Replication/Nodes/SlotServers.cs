using System.Diagnostics;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Nodes;

internal sealed class SlotServers(ResolvedTarget given, SlotMapSource? map, bool isReplica)
{
    private static readonly TimeSpan LongestRenewal = TimeSpan.FromMilliseconds(500);

    private readonly Lock _gate = new();
    private readonly Dictionary<int, ResolvedTarget> _targets = [];

    public bool IsReplica => isReplica;

    public SlotMap? Map => map?.Current;

    public ResolvedTarget? TargetOf(SlotMap? known, int slot, ResolvedTarget? before)
    {
        if (known is null)
            return given;
        if (known.ShardOf(slot) is not { } shard)
            return null;
        if (!isReplica)
            return TargetOf(shard.Primary);
        return shard.Replicas.Select(TargetOf)
            .OrderBy(replica => replica == before ? 0 : IsNamed(replica) ? 1 : 2).FirstOrDefault();
    }

    public void Doubt(int slot)
    {
        if (map?.Current is { } known)
            map.Doubt(known, known.PrimaryOf(slot));
    }

    public void Renew(int slot)
    {
        if (map?.Current is not { } known)
            return;
        // Who turned a key away knows better than others.
        map.Doubt(known, known.PrimaryOf(slot));
        map.WaitForNewer(known, LongestRenewal);
    }

    private bool IsNamed(ResolvedTarget target) => given.Endpoint.Servers.Any(
        named => named.Host == target.Endpoint.Host && named.Port == target.Endpoint.Port);

    private ResolvedTarget TargetOf(ClusterNode node)
    {
        lock (_gate)
        {
            if (!_targets.TryGetValue(node.Number, out var target))
            {
                var place = new HostAndPort(node.Endpoint.Host, node.Endpoint.Port);
                target = given with
                {
                    Endpoint = node.Endpoint.SocketPath is null ? given.Endpoint.At(place) : node.Endpoint,
                    Connection = given.Connection with { ReadsReplica = isReplica },
                };
                _targets.Add(node.Number, target);
            }

            return target;
        }
    }
}

/// <summary>A cluster's nodes by their lasting ids: two processes know by them that they reach the same one.</summary>
internal static class ClusterNodeIds
{
    private const int FirstServer = 2;
    private const int Id = 2;

    public static IReadOnlyList<string> Read(ResolvedTarget cluster)
    {
        using var control = cluster.OpenControl();
        return
        [
            .. control.Request(RespLimits.List, "CLUSTER", "SLOTS").Items.SelectMany(
                range => range.Items.Skip(FirstServer))
                .Where(server => server.Items.Count > Id).Select(server => server.Items[Id].Text)
                .Where(id => id.Length > 0).Distinct(StringComparer.Ordinal),
        ];
    }
}

internal sealed class ReachedNodes : IDisposable
{
    private readonly string _role;
    private readonly NodeFacts _facts;
    private readonly SessionEvents _events;
    private readonly SlotMapSource? _map;
    private readonly SlotServers _alone;
    private readonly SlotServers _primaries;
    private readonly SlotServers _replicas;

    private ReachedNodes(string role, NodeFacts facts, SessionEvents events)
    {
        (_role, _facts, _events) = (role, facts, events);
        var target = facts.Target;
        _map = facts.IsInCluster ? SlotMapSource.Open(target.Endpoint, target.Connection) : null;
        _alone = new SlotServers(target, map: null, isReplica: false);
        _primaries = new SlotServers(target, _map, isReplica: false);
        _replicas = new SlotServers(target, _map, isReplica: true);
    }

    public SlotMap? Map => _map?.Current;

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
                $"{_facts.Option} {_facts.Target.Name} is a cluster in which no server has slots "
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
    public KeyWay WayTo(
        ReachedNodes destination, SharedSlots slots, DelayOptions options, string label, bool reportsSource)
    {
        var to = IsCluster(destination)
            ? new SlotServers(destination._facts.Target, _map, isReplica: true)
            : destination._primaries;
        var route = new ShardRoute(_primaries, to, slots.Middle, slots.Name, _events, reportsSource);
        var way = new KeyWay(
            slots.Name,
            slots.PrefixAfter(options.Prefix),
            new ShardPlace(_role, slots.Name, _primaries, route, servers => servers.Source),
            new ShardPlace(destination._role, slots.Name, to, route, servers => servers.Destination, label));
        destination.Require(way.Destination, options.LinkTimeout);
        return way;
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
                + $"{(place.IsReplica ? "replica" : "primary")} that is the {place.Label}: nothing of that shard is "
                + "replicated.");
        }
    }

    public void Dispose() => _map?.Dispose();

    private ShardPlace At(string shard, int slot, bool isReplica, SessionEvents events)
    {
        // A source's route has no destination here; a replica's has the primary, so that both change in one step.
        var (from, to) = _role == "source" ? (_primaries, _alone) : isReplica ? (_primaries, _replicas)
            : (_alone, _primaries);
        var route = new ShardRoute(from, to, slot, shard, events);
        return _role == "source"
            ? new ShardPlace(_role, shard, from, route, servers => servers.Source)
            : new ShardPlace(_role, shard, to, route, servers => servers.Destination);
    }
}
