using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Shards;

/// <summary>One end of a shard's way.</summary>
/// <param name="role">source or destination.</param>
/// <param name="shard">What the shard is called.</param>
/// <param name="end">The end.</param>
/// <param name="route">Where both ends of the shard are.</param>
/// <param name="pick">Which of both.</param>
/// <param name="label">What people call it: one of several destinations; null for its role.</param>
internal sealed class ShardPlace(
    string role, string shard, ClusterEnd end, ShardRoute route, Func<ShardServers, ResolvedTarget?> pick,
    string? label = null) : IServerPlace
{
    private ResolvedTarget? _last;

    /// <inheritdoc/>
    public string Role => role;

    /// <inheritdoc/>
    public string Label { get; } = $"{label ?? role} of {shard}";

    /// <inheritdoc/>
    public bool IsReplica => end.IsReplica;

    /// <inheritdoc/>
    public ResolvedTarget? Target
    {
        get
        {
            var now = pick(route.Now);
            _last = now ?? _last;
            return now;
        }
    }

    /// <inheritdoc/>
    public string LastName => (Target ?? _last)?.Name ?? "no server";

    /// <inheritdoc/>
    public ResolvedTarget Require() => Target ?? throw new RedisConnectException(
        ConnectFailure.Unreachable, $"{Label}: the cluster names no {(IsReplica ? "replica" : "primary")} of it");

    /// <inheritdoc/>
    public void Doubt() => end.Doubt(route.Slot);

    /// <inheritdoc/>
    public void Renew() => end.Renew(route.Slot);
}
