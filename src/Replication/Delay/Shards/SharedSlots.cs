using RedisLatency.Redis.Cluster;

namespace RedisLatency.Replication.Delay.Shards;

/// <summary>The slots that one shard of the source and one of the destination both have.</summary>
/// <param name="Ranges">Which, in order.</param>
internal sealed record SharedSlots(IReadOnlyList<SlotRange> Ranges)
{
    private const int MostNamed = 2;

    /// <summary>A slot amid the longest range: moves mostly begin at the edges.</summary>
    public int Middle
    {
        get
        {
            var longest = Ranges.MaxBy(range => range.Count);
            return longest.First + (longest.Count / 2);
        }
    }

    /// <summary>For people.</summary>
    public string Name
    {
        get
        {
            var more = Ranges.Count > MostNamed ? $" and {Ranges.Count - MostNamed} more ranges" : string.Empty;
            return $"slots {string.Join(' ', Ranges.Take(MostNamed))}{more}";
        }
    }

    /// <summary>Shares out all slots.</summary>
    /// <param name="source">The source's map; null where it is no cluster.</param>
    /// <param name="destination">The destination's.</param>
    public static IReadOnlyList<SharedSlots> Of(SlotMap? source, SlotMap? destination)
    {
        var shared = new Dictionary<(ClusterShard?, ClusterShard?), List<SlotRange>>();
        var first = 0;
        for (var slot = 1; slot <= KeySlot.Count; slot++)
        {
            var shards = ShardsOf(first);
            if (slot < KeySlot.Count && shards == ShardsOf(slot))
                continue;
            if (!shared.TryGetValue(shards, out var ranges))
                shared.Add(shards, ranges = []);
            ranges.Add(new SlotRange(first, slot - 1));
            first = slot;
        }

        return [.. shared.Values.Select(ranges => new SharedSlots(ranges)).OrderBy(slots => slots.Ranges[0].First)];

        (ClusterShard?, ClusterShard?) ShardsOf(int slot) => (source?.ShardOf(slot), destination?.ShardOf(slot));
    }
}
