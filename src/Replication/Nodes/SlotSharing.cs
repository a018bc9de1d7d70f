using System.Globalization;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Replication.Nodes;

/// <summary>How slots are shared out: equally, or as in 0-99+200-16383,100-199 (a comma between shards).</summary>
internal sealed class SlotSharing
{
    public const int Most = 1_000;
    private const int Nobody = -1;

    private readonly int[] _parts;

    // In the order of their first slots, so that two that share out alike are the same.
    private SlotSharing(Func<int, int> shardOf)
    {
        var numbers = new Dictionary<int, int>();
        _parts = [.. Enumerable.Range(0, KeySlot.Count).Select(NumberOf)];

        int NumberOf(int slot)
        {
            var shard = shardOf(slot);
            numbers.TryAdd(shard, numbers.Count);
            return numbers[shard];
        }
    }

    public static SlotSharing Of(SlotMap map)
    {
        var shards = map.Shards.Select((shard, number) => (shard, number)).ToDictionary(
            one => one.shard, one => one.number);
        return new SlotSharing(slot => shards[map.ShardOf(slot)!]);
    }

    public static SlotSharing Equal(int shards) => new(slot => (int)(((long)slot * shards) / KeySlot.Count));

    public static SlotSharing Parse(string text) =>
        TryParse(text, out var problem) ?? throw new FormatException(problem);

    public static string? Problem(string text)
    {
        _ = TryParse(text, out var problem);
        return problem;
    }

    public static IReadOnlyList<SlotRange> Ranges(string text, char separator) =>
        [.. text.Split(separator).Select(RangeOf)];

    public int PartOf(int slot) => _parts[slot];

    public override string ToString()
    {
        var count = _parts.Max() + 1;
        if (_parts.SequenceEqual(Equal(count)._parts))
            return count.ToString(CultureInfo.InvariantCulture);
        return string.Join(',', SharedSlots.Of(null, this).Select(shard => string.Join('+', shard.Ranges)));
    }

    private static SlotSharing? TryParse(string text, out string? problem)
    {
        problem = null;
        if (int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var count))
        {
            problem = count is > 0 and <= Most ? null : $"1 to {Most} shards";
            return problem is null ? Equal(count) : null;
        }

        try
        {
            var shards = text.Split(',');
            if (shards.Length > Most)
                throw new FormatException($"at most {Most} shards");
            var parts = new int[KeySlot.Count];
            Array.Fill(parts, Nobody);
            for (var number = 0; number < shards.Length; number++)
                Give(parts, Ranges(shards[number], '+'), number);
            RequireAll(parts);
            return new SlotSharing(slot => parts[slot]);
        }
        catch (FormatException wrong)
        {
            problem = wrong.Message;
            return null;
        }
    }

    private static SlotRange RangeOf(string text)
    {
        var ends = text.Split('-');
        return ends.Length <= 2
            && int.TryParse(ends[0], NumberStyles.None, CultureInfo.InvariantCulture, out var first)
            && int.TryParse(ends[^1], NumberStyles.None, CultureInfo.InvariantCulture, out var last)
            && first <= last && last < KeySlot.Count
                ? new SlotRange(first, last)
                : throw new FormatException(
                    $"'{text}' are no slots; how many shards, or the slots of each is needed: 0-8191,8192-16383");
    }

    private static void Give(int[] parts, IReadOnlyList<SlotRange> ranges, int shard)
    {
        foreach (var range in ranges)
        {
            for (var slot = range.First; slot <= range.Last; slot++)
                parts[slot] = parts[slot] == Nobody ? shard : throw new FormatException($"slot {slot} is there twice");
        }
    }

    private static void RequireAll(int[] parts)
    {
        var first = Array.IndexOf(parts, Nobody);
        if (first < 0)
            return;
        var next = Array.FindIndex(parts, first, shard => shard != Nobody);
        throw new FormatException($"no shard has {new SlotRange(first, (next < 0 ? KeySlot.Count : next) - 1)}");
    }
}

internal sealed record SharedSlots(IReadOnlyList<SlotRange> Ranges)
{
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

    public static IReadOnlyList<SharedSlots> Of(SlotMap? source, SlotSharing destination) =>
        Of(slot => (source?.ShardOf(slot), destination.PartOf(slot)));

    private static IReadOnlyList<SharedSlots> Of<T>(Func<int, T> shardsOf)
        where T : notnull
    {
        var shared = new Dictionary<T, List<SlotRange>>();
        var first = 0;
        for (var slot = 1; slot <= KeySlot.Count; slot++)
        {
            var shards = shardsOf(first);
            if (slot < KeySlot.Count && EqualityComparer<T>.Default.Equals(shards, shardsOf(slot)))
                continue;
            if (!shared.TryGetValue(shards, out var ranges))
                shared.Add(shards, ranges = []);
            ranges.Add(new SlotRange(first, slot - 1));
            first = slot;
        }

        return [.. shared.Values.Select(ranges => new SharedSlots(ranges)).OrderBy(slots => slots.Ranges[0].First)];
    }
}
