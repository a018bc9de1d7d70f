using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Workloads.Engine;

/// <summary>Where an engine has its servers from, where there are several, and what became of them.</summary>
internal static class ServerSource
{
    /// <returns>Null where every endpoint of the plan is a server.</returns>
    public static SlotMapSource? Open(EnginePlan plan)
    {
        if (!plan.IsRouted)
            return null;
        var source = plan.IsCluster
            ? SlotMapSource.Open(plan.Endpoints[0], plan.Connection)
            : SlotMapSource.OpenReplicated(plan.Endpoints[0], plan.Connection);
        if (WhyNotRead(plan.ReadFrom, source.Current) is not { } problem)
            return source;
        source.Dispose();
        throw new RedisConnectException(
            ConnectFailure.NoFittingServer, $"{plan.Endpoints[0]}: {problem}; --read-from primary needs none");
    }

    public static IReadOnlyList<RedisEndpoint> Used(IEnumerable<IReadOnlyList<NodeConnections?>> workers) =>
    [
        .. workers.SelectMany(nodes => nodes.OfType<NodeConnections>())
            .Where(server => server.IsMapped)
            .Select(server => server.Node)
            .Distinct()
            .OrderBy(node => node.Number)
            .Select(node => node.Endpoint),
    ];

    public static IReadOnlyList<ServerShare> Shares(
        SlotMapSource source, IEnumerable<IReadOnlyList<NodeConnections?>> workers)
    {
        var map = source.Current;
        return
        [
            .. workers.SelectMany(nodes => nodes.OfType<NodeConnections>())
                .GroupBy(server => server.Node)
                .OrderBy(server => server.Key.Number)
                .Select(server => new ServerShare
                {
                    Address = server.Key.ToString(),
                    Role = map.ShardWith(server.Key) is { } shard
                        ? shard.Primary == server.Key ? "primary" : "replica"
                        : null,
                    Reads = server.Sum(one => one.Reads),
                    Writes = server.Sum(one => one.Writes),
                }),
        ];
    }

    public static IReadOnlyList<PrimaryChange> Changes(SlotMapSource source, long measuredFrom) =>
    [
        .. source.Changes.Select(change => new PrimaryChange
        {
            AtNs = MonotonicClock.FromTimestamp(change.Timestamp) - measuredFrom,
            From = change.From?.ToString(),
            To = change.To.ToString(),
        }),
    ];

    private static string? WhyNotRead(ReadPreference preference, SlotMap map)
    {
        var without = map.Shards.Where(shard => shard.Replicas.Count == 0).Select(shard => shard.Primary).ToList();
        return preference switch
        {
            ReadPreference.Replica when without.Count > 0 =>
                $"{string.Join(", ", without)} {(without.Count == 1 ? "has" : "have")} no replica to read from",
            ReadPreference.Any when without.Count == map.Shards.Count => "there is no replica to read from",
            _ => null,
        };
    }
}
