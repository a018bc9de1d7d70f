using System.Diagnostics;

namespace RedisLatency.Redis.Topology;

/// <summary>A server that was no primary has become one: a failover, or a server that was added.</summary>
/// <param name="Timestamp">When it was noticed, by <see cref="Stopwatch.GetTimestamp"/>.</param>
/// <param name="From">Who served the first of its slots before; null where nobody did.</param>
/// <param name="To">The new primary.</param>
public readonly record struct PrimaryChange(long Timestamp, ClusterNode? From, ClusterNode To)
{
    internal static IEnumerable<PrimaryChange> Between(SlotMap before, SlotMap after, long timestamp)
    {
        var primaries = before.Shards.Select(shard => shard.Primary).ToHashSet();
        return after.Shards.Where(shard => !primaries.Contains(shard.Primary)).Select(shard =>
            new PrimaryChange(timestamp, before.PrimaryOf(shard.Ranges[0].First), shard.Primary));
    }
}
