namespace RedisLatency.Redis.Topology;

/// <summary>Puts shards in the order of their slots, whatever the order of the reply.</summary>
internal static class ShardOrder
{
    public static IReadOnlyList<ClusterShard> Sort(IEnumerable<ClusterShard> shards) =>
    [
        .. shards
            .Select(shard => shard with { Ranges = [.. shard.Ranges.OrderBy(range => range.First)] })
            .OrderBy(shard => shard.Ranges[0].First),
    ];
}
