using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Shards;

internal sealed class ShardPlace(
    string role, string shard, ClusterEnd end, ShardRoute route, Func<ShardServers, ResolvedTarget?> pick,
    string? label = null) : IServerPlace
{
    private ResolvedTarget? _last;

    public string Role => role;

    public string Label { get; } = $"{label ?? role} of {shard}";

    public bool IsReplica => end.IsReplica;

    public ResolvedTarget? Target
    {
        get
        {
            var now = pick(route.Now);
            _last = now ?? _last;
            return now;
        }
    }

    public string LastName => (Target ?? _last)?.Name ?? "no server";

    public ResolvedTarget Require() => Target ?? throw new RedisConnectException(
        ConnectFailure.Unreachable, $"{Label}: the cluster names no {(IsReplica ? "replica" : "primary")} of it");

    public void Doubt() => end.Doubt(route.Slot);

    public void Renew() => end.Renew(route.Slot);
}
