using RedisLatency.Redis.Topology;

namespace RedisLatency.Replication.Shards;

internal static class SlotsOfAll
{
    public static IReadOnlyList<SharedSlots> Of(SlotMap? source, IEnumerable<SlotMap?> destinations) =>
        destinations.Select(destination => SharedSlots.Of(source, destination)).Aggregate(Divide);

    private static IReadOnlyList<SharedSlots> Divide(IReadOnlyList<SharedSlots> parts, IReadOnlyList<SharedSlots> by) =>
    [
        .. parts.SelectMany(part => by.Select(other => new SharedSlots(Common(part, other))))
            .Where(part => part.Ranges.Count > 0).OrderBy(part => part.Ranges[0].First),
    ];

    private static IReadOnlyList<SlotRange> Common(SharedSlots one, SharedSlots other) =>
    [
        .. one.Ranges.SelectMany(range => other.Ranges.Select(known => new SlotRange(
                Math.Max(range.First, known.First), Math.Min(range.Last, known.Last))))
            .Where(range => range.First <= range.Last).OrderBy(range => range.First),
    ];
}
