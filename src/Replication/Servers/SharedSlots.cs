using RedisLatency.Redis.Topology;

namespace RedisLatency.Replication.Servers;

/// <summary>Slots that one shard of the source and one of the destination share.</summary>
internal sealed record SharedSlots(IReadOnlyList<SlotRange> Ranges)
{
    public const int MostRanges = 1_000;
    private const int MostNamed = 2;

    public int Middle
    {
        get
        {
            var longest = Ranges.MaxBy(range => range.Count);
            return longest.First + (longest.Count / 2);
        }
    }

    public string Name
    {
        get
        {
            var more = Ranges.Count > MostNamed ? $" and {Ranges.Count - MostNamed} more ranges" : string.Empty;
            return $"slots {string.Join(' ', Ranges.Take(MostNamed))}{more}";
        }
    }

    public string PrefixAfter(string prefix) => $"{prefix}:{{{SlotTags.Of(Middle)}}}";

    public static IReadOnlyList<SharedSlots> Of(SlotMap? source, SlotMap? destination) =>
        Of(slot => (source?.ShardOf(slot), destination?.ShardOf(slot)));

    // Of a destination that is not known here: in so many equal ranges.
    public static IReadOnlyList<SharedSlots> Of(SlotMap? source, int ranges) =>
        Of(slot => (source?.ShardOf(slot), RangeOf(slot, ranges)));

    public static int RangeOf(int slot, int ranges) => slot * ranges / KeySlot.Count;

    public static IReadOnlyList<SharedSlots> Of<T>(Func<int, T> shardsOf)
        where T : notnull =>
        [
            .. SlotRange.By(shardsOf).Values.Select(ranges => new SharedSlots(ranges))
                .OrderBy(slots => slots.Ranges[0].First),
        ];
}
