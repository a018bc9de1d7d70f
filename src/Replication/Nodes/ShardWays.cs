using System.Diagnostics;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Topology;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Nodes;

/// <summary>The ways of keys to or from a cluster: one for each pair of shards that share slots.</summary>
internal sealed class ShardWays : IDisposable
{
    private readonly List<SlotMapSource> _maps = [];

    public ShardWays(IReadOnlyList<LinkCheck> checks, DelayOptions options, SessionEvents events)
    {
        RequireNoTag(options.Prefix);
        try
        {
            var source = checks[0].Source;
            var sourceMap = MapOf(source);
            var from = new SlotServers(source.Target, sourceMap, isReplica: false);
            RequireAllSlots(source, from.Map);
            List<SlotServers> ends = [.. checks.Select(check => EndOf(check.Destination, sourceMap))];
            foreach (var (end, check) in ends.Zip(checks))
                RequireAllSlots(check.Destination, end.Map);
            RequireDifferent(ends, checks);
            OwnReplicas = ends.Find(end => end.IsReplica) is { } own ? checks[ends.IndexOf(own)].Destination.Target
                : null;
            var shared = SharedSlots.Of(from.Map, ends[0].Map);
            RequireAlike(shared, from, ends, checks);
            Ways =
            [
                .. ends.SelectMany((to, number) => shared.Select((slots, stream) =>
                    WayOf(from, to, slots, LinkCheck.LabelOf(checks, number), options, events, number == 0) with
                    {
                        Stream = stream,
                        DestinationNumber = number,
                    })),
            ];
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    public IReadOnlyList<KeyWay> Ways { get; }

    // The destination that is the source's own cluster, written to at its primaries and read from its replicas; null
    // where there is none.
    public ResolvedTarget? OwnReplicas { get; }

    public static void RequireNoTag(string prefix)
    {
        if (prefix.Contains('{', StringComparison.Ordinal))
        {
            throw new RunRefusedException(
                $"--prefix {prefix}: in a cluster the tag in braces is chosen here, so that each shard has its keys.");
        }
    }

    public static void RequireAllSlots(NodeFacts end, SlotMap? map)
    {
        if (map is { IsComplete: false })
        {
            throw new RunRefusedException(
                $"{end.Option} {end.Target.Name} is a cluster in which nobody has slots "
                    + $"{string.Join(' ', map.Missing)}.");
        }
    }

    public void Dispose() => _maps.ForEach(map => map.Dispose());

    // Both maps name servers as the cluster itself does, whatever the user called them.
    private static bool AreOne(SlotMap one, SlotMap other) =>
        other.Shards.Select(shard => shard.Primary.Endpoint.Address)
            .Intersect(one.Shards.Select(shard => shard.Primary.Endpoint.Address)).Any();

    private static void RequireDifferent(List<SlotServers> ends, IReadOnlyList<LinkCheck> checks)
    {
        for (var i = 0; i < ends.Count; i++)
        {
            for (var j = i + 1; j < ends.Count; j++)
            {
                if (ends[i].Map is not { } one || ends[j].Map is not { } other || !AreOne(one, other))
                    continue;
                var both = $"--destination {checks[i].Destination.Target.Name} and --destination "
                    + $"{checks[j].Destination.Target.Name} are one cluster";
                throw new RunRefusedException(ends[i].IsReplica
                    ? $"{both}, the source's own: which replica of a shard belongs to which is not known. Give one of "
                        + "them."
                    : $"{both}.");
            }
        }
    }

    // Every destination reads the same keys.
    private static void RequireAlike(
        IReadOnlyList<SharedSlots> shared, SlotServers from, List<SlotServers> ends, IReadOnlyList<LinkCheck> checks)
    {
        var other = ends.FindIndex(
            end => !SharedSlots.Of(from.Map, end.Map).Select(RangesOf).SequenceEqual(shared.Select(RangesOf)));
        if (other < 0)
            return;
        throw new RunRefusedException(
            $"--destination {checks[other].Destination.Target.Name} shares out its slots otherwise than --destination "
            + $"{checks[0].Destination.Target.Name}. Run once to each of them, and print both with matrix.");

        static string RangesOf(SharedSlots slots) => string.Join('+', slots.Ranges);
    }

    private static KeyWay WayOf(
        SlotServers from, SlotServers to, SharedSlots slots, string label, DelayOptions options, SessionEvents events,
        bool reportsSource)
    {
        var route = new ShardRoute(from, to, slots.Middle, slots.Name, events, reportsSource);
        // A replica that is young is not named before it has reported its offset.
        var began = Stopwatch.GetTimestamp();
        while (route.Now.Destination is null && Stopwatch.GetElapsedTime(began) < options.LinkTimeout)
            to.Renew(slots.Middle);
        if (route.Now.Destination is null)
        {
            throw new RunRefusedException(
                $"The cluster names no replica of {route.Now.Source?.Name}, which has {slots.Name}: nothing of that "
                + "shard is replicated.");
        }

        return new KeyWay(
            slots.Name,
            slots.PrefixAfter(options.Prefix),
            new ShardPlace("source", slots.Name, from, route, servers => servers.Source),
            new ShardPlace("destination", slots.Name, to, route, servers => servers.Destination, label));
    }

    private SlotMapSource? MapOf(NodeFacts end)
    {
        if (!end.IsInCluster)
            return null;
        var map = SlotMapSource.Open(end.Target.Endpoint, end.Target.Connection);
        _maps.Add(map);
        return map;
    }

    private SlotServers EndOf(NodeFacts destination, SlotMapSource? sourceMap)
    {
        var map = MapOf(destination);
        var isOwn = sourceMap is not null && map is not null && AreOne(sourceMap.Current, map.Current);
        return new SlotServers(destination.Target, isOwn ? sourceMap : map, isOwn);
    }
}
