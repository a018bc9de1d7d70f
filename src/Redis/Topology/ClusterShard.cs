namespace RedisLatency.Redis.Topology;

/// <summary>A primary, its replicas, and the slots they serve.</summary>
/// <param name="Primary">Takes writes.</param>
/// <param name="Replicas">Follow it; only those that the cluster holds fit to be read. May be none.</param>
/// <param name="Ranges">The slots, in order; at least one.</param>
public sealed record ClusterShard(
    ClusterNode Primary, IReadOnlyList<ClusterNode> Replicas, IReadOnlyList<SlotRange> Ranges)
{
    /// <summary>How many slots it serves.</summary>
    public int SlotCount => Ranges.Sum(range => range.Count);
}
