using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Replication.Shards;

/// <summary>One end of a replication: a cluster, whose map tells which server has a slot, or a server alone.</summary>
/// <param name="given">What the user gave.</param>
/// <param name="map">The cluster's map; null for a server alone.</param>
/// <param name="isReplica">Whether its replicas are meant, and not its primaries.</param>
internal sealed class ClusterEnd(ResolvedTarget given, SlotMapSource? map, bool isReplica)
{
    private static readonly TimeSpan LongestRenewal = TimeSpan.FromMilliseconds(500);

    private readonly Lock _gate = new();
    private readonly Dictionary<int, ResolvedTarget> _targets = [];

    /// <summary>Whether its replicas are meant.</summary>
    public bool IsReplica => isReplica;

    /// <summary>Who has which slot now; null for a server alone.</summary>
    public SlotMap? Map => map?.Current;

    /// <summary>The server for a slot by a map of it, or null where there is none.</summary>
    /// <param name="known">A map of this end.</param>
    /// <param name="slot">The slot.</param>
    /// <param name="before">Which it was, so that a replica that still is one stays.</param>
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

    /// <summary>Doubts what is known of a slot.</summary>
    public void Doubt(int slot)
    {
        if (map?.Current is { } known)
            map.Doubt(known, known.PrimaryOf(slot));
    }

    /// <summary>Doubts it, and waits for a newer map for a moment.</summary>
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
                };
                _targets.Add(node.Number, target);
            }

            return target;
        }
    }
}
