using System.Diagnostics;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;
using RedisLatency.Replication.Links;

namespace RedisLatency.Replication.Servers;

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

    public void Doubt(int slot) => DoubtCurrent(slot);

    public void Renew(int slot)
    {
        if (DoubtCurrent(slot) is { } known)
            map?.WaitForNewer(known, LongestRenewal);
    }

    // Who turned a key away knows better than others.
    private SlotMap? DoubtCurrent(int slot)
    {
        var known = map?.Current;
        if (known is not null)
            map?.Doubt(known, known.PrimaryOf(slot));
        return known;
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
    public KeyWay WayTo(
        ReachedNodes destination, SharedSlots slots, DelayOptions options, string label, bool reportsSource)
    {
        var to = IsCluster(destination)
            ? new SlotServers(destination.Target, _map, isReplica: true)
            : destination.Primaries;
        var route = new ShardRoute(Primaries, to, slots.Middle, slots.Name, events, reportsSource);
        var way = new KeyWay(
            slots.Name,
            slots.PrefixAfter(options.Prefix),
            new ShardPlace(role, slots.Name, Primaries, route, servers => servers.Source),
            new ShardPlace(destination.Role, slots.Name, to, route, servers => servers.Destination, label));
        destination.Require(way.Destination, options.LinkTimeout);
        return way;
    }

    public IServerPlace PlaceOf(string key) => _map is null
        ? new FixedPlace(role, facts.Target)
        // What becomes of a slot that has no measured keys is nobody's event.
        : At("the slot of a key", KeySlot.Of(Encoding.ASCII.GetBytes(key)), isReplica: false, new SessionEvents());

    public IServerPlace PlaceOf(int slot, string shard, bool isReplica) => _map is null
        ? new FixedPlace(role, facts.Target)
        : At(shard, slot, isReplica, events);

    // Waits until a slot's server is known: a replica that is young is not named before it is in step.
    public void Require(IServerPlace place, TimeSpan limit)
    {
        var began = Stopwatch.GetTimestamp();
        while (place.Target is null && Stopwatch.GetElapsedTime(began) < limit)
            place.Renew();
        if (place.Target is null)
        {
            throw new RunRefusedException(
                $"{facts.Option} {facts.Target.Name}: the cluster names no "
                + $"{(place.IsReplica ? "replica" : "primary")} that is the {place.Label}: nothing of that shard is "
                + "replicated.");
        }
    }

    public void Dispose() => _map?.Dispose();

    private ShardPlace At(string shard, int slot, bool isReplica, SessionEvents events)
    {
        // A source's route has no destination here; a replica's has the primary, so that both change in one step.
        var alone = new SlotServers(facts.Target, map: null, isReplica: false);
        var (from, to) = role == "source" ? (Primaries, alone)
            : isReplica ? (Primaries, new SlotServers(facts.Target, _map, isReplica: true))
            : (alone, Primaries);
        var route = new ShardRoute(from, to, slot, shard, events);
        return role == "source"
            ? new ShardPlace(role, shard, from, route, servers => servers.Source)
            : new ShardPlace(role, shard, to, route, servers => servers.Destination);
    }
}

internal sealed record SharedSlots(IReadOnlyList<SlotRange> Ranges)
{
    public const int MostRanges = 1_000;
    private const int MostNamed = 2;

    public int Middle
    {
        get
        {
            var longest = Ranges.MaxBy(range => range.Count);
            return longest.First + (longest.Count / 2);
        }
    }

    public string Name
    {
        get
        {
            var more = Ranges.Count > MostNamed ? $" and {Ranges.Count - MostNamed} more ranges" : string.Empty;
            return $"slots {string.Join(' ', Ranges.Take(MostNamed))}{more}";
        }
    }

    public string PrefixAfter(string prefix) => $"{prefix}:{{{SlotTags.Of(Middle)}}}";

    public static IReadOnlyList<SharedSlots> Of(SlotMap? source, SlotMap? destination) =>
        Of(slot => (source?.ShardOf(slot), destination?.ShardOf(slot)));

    // Of a destination that is not known here: in so many equal ranges.
    public static IReadOnlyList<SharedSlots> Of(SlotMap? source, int ranges) =>
        Of(slot => (source?.ShardOf(slot), RangeOf(slot, ranges)));

    public static int RangeOf(int slot, int ranges) => slot * ranges / KeySlot.Count;

    public static IReadOnlyList<SharedSlots> Of<T>(Func<int, T> shardsOf)
        where T : notnull =>
        [
            .. SlotRange.By(shardsOf).Values.Select(ranges => new SharedSlots(ranges))
                .OrderBy(slots => slots.Ranges[0].First),
        ];
}
