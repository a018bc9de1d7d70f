using System.Text;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Replication.Servers;

/// <summary>Finds the primary, or a replica, that serves a slot by the map of its cluster.</summary>
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

    public ResolvedTarget? NamedBy(string error, int slot) =>
        map?.Current.PrimaryOf(slot) is { } asked
            && Redirection.TryParse(Encoding.UTF8.GetBytes(error), out var redirection)
            ? TargetOf(map.NodeOf(redirection, asked))
            : null;

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
