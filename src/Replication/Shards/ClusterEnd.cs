using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Replication.Shards;

/// <summary>One end of a replication: a cluster, whose map tells which server has a slot, or a server alone.</summary>
internal sealed class ClusterEnd(ResolvedTarget given, SlotMapSource? map, bool isReplica)
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
