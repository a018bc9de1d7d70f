using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Shards;

/// <summary>
/// Which nodes a cluster consists of, by the ids that they have for good: two processes that reach it by different
/// addresses know by them that it is the same one.
/// </summary>
internal static class ClusterNodeIds
{
    private const int FirstServer = 2;
    private const int Id = 2;

    /// <summary>Asks any node (CLUSTER SLOTS).</summary>
    /// <exception cref="Redis.RedisException">It cannot be asked.</exception>
    public static IReadOnlyList<string> Read(ResolvedTarget cluster)
    {
        using var control = cluster.OpenControl();
        return
        [
            .. control.Request(RespLimits.List, "CLUSTER", "SLOTS").Items.SelectMany(range => range.Items.Skip(FirstServer))
                .Where(server => server.Items.Count > Id).Select(server => server.Items[Id].Text)
                .Where(id => id.Length > 0).Distinct(StringComparer.Ordinal),
        ];
    }
}
