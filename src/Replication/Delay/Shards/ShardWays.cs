using System.Diagnostics;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis.Cluster;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Delay.Keys;

namespace RedisLatency.Replication.Delay.Shards;

/// <summary>
/// The ways of keys where an end is a cluster: one for each shard, and where the slots of two clusters are shared out
/// differently, one for each pair of shards that have slots in common.
/// </summary>
internal sealed class ShardWays : IDisposable
{
    private readonly SlotMapSource? _sourceMap;
    private readonly SlotMapSource? _destinationMap;

    private ShardWays(LinkCheck check, ILinkOptions options, SessionEvents events)
    {
        var (source, destination) = (check.Source.Target, check.Destination.Target);
        try
        {
            _sourceMap = check.Source.IsInCluster ? SlotMapSource.Open(source.Endpoint, source.Connection) : null;
            _destinationMap = check.Destination.IsInCluster
                ? SlotMapSource.Open(destination.Endpoint, destination.Connection)
                : null;
            IsOneCluster = _sourceMap is not null && _destinationMap is not null
                && AreOne(_sourceMap.Current, _destinationMap.Current);
            var from = new ClusterEnd(source, _sourceMap, isReplica: false);
            var to = new ClusterEnd(destination, IsOneCluster ? _sourceMap : _destinationMap, IsOneCluster);
            RequireAllSlots(check.Source, from.Map);
            RequireAllSlots(check.Destination, to.Map);
            Ways = [.. SharedSlots.Of(from.Map, to.Map).Select(slots => WayOf(from, to, slots, options, events))];
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>The ways, by their first slots.</summary>
    public IReadOnlyList<KeyWay> Ways { get; }

    /// <summary>Whether both ends are one cluster: written to its primaries, and read from its replicas.</summary>
    public bool IsOneCluster { get; }

    /// <summary>Finds them.</summary>
    /// <exception cref="RunRefusedException">Not every slot can be measured.</exception>
    /// <exception cref="Redis.RedisException">A cluster gives no map.</exception>
    public static ShardWays Find(LinkCheck check, ILinkOptions options, SessionEvents events)
    {
        RequireNoTag(options.Prefix);
        return new ShardWays(check, options, events);
    }

    /// <summary>Refuses keys that all are of one slot.</summary>
    /// <exception cref="RunRefusedException">They are.</exception>
    public static void RequireNoTag(string prefix)
    {
        if (prefix.Contains('{', StringComparison.Ordinal))
        {
            throw new RunRefusedException(
                $"--prefix {prefix}: in a cluster the tag in braces is chosen here, so that each shard has its keys.");
        }
    }

    /// <summary>Refuses a cluster in which keys of some slots cannot be written.</summary>
    /// <exception cref="RunRefusedException">It is one.</exception>
    public static void RequireAllSlots(EndFacts end, SlotMap? map)
    {
        if (map is { IsComplete: false })
        {
            throw new RunRefusedException(
                $"{end.Option} {end.Target.Name} is a cluster in which nobody has slots {string.Join(' ', map.Missing)}.");
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _sourceMap?.Dispose();
        _destinationMap?.Dispose();
    }

    // Both maps name servers as the cluster itself does, whatever the user called them.
    private static bool AreOne(SlotMap one, SlotMap other) =>
        other.Shards.Select(shard => shard.Primary.Endpoint.Address)
            .Intersect(one.Shards.Select(shard => shard.Primary.Endpoint.Address)).Any();

    private static KeyWay WayOf(ClusterEnd from, ClusterEnd to, SharedSlots slots, ILinkOptions options, SessionEvents events)
    {
        var route = new ShardRoute(from, to, slots.Middle, slots.Name, events);
        // A replica that is young is not named before it has told its offset.
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
            new ShardPlace("destination", slots.Name, to, route, servers => servers.Destination));
    }
}
