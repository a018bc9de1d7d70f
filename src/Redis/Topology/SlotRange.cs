namespace RedisLatency.Redis.Topology;

/// <summary>Slots that follow one another.</summary>
/// <param name="First">The first slot.</param>
/// <param name="Last">The last slot, which belongs to the range.</param>
public readonly record struct SlotRange(int First, int Last)
{
    /// <summary>How many slots they are.</summary>
    public int Count => Last - First + 1;

    /// <summary>All slots by what somebody says of each, as few ranges as there can be, in order.</summary>
    public static IReadOnlyDictionary<T, List<SlotRange>> By<T>(Func<int, T> keyOf)
        where T : notnull
    {
        var all = new Dictionary<T, List<SlotRange>>();
        var first = 0;
        for (var slot = 1; slot <= KeySlot.Count; slot++)
        {
            var key = keyOf(first);
            if (slot < KeySlot.Count && EqualityComparer<T>.Default.Equals(key, keyOf(slot)))
                continue;
            if (!all.TryGetValue(key, out var ranges))
                all.Add(key, ranges = []);
            ranges.Add(new SlotRange(first, slot - 1));
            first = slot;
        }

        return all;
    }

    /// <summary>As the cluster's own tools write it: <c>0-5460</c>, or <c>7</c>.</summary>
    public override string ToString() => First == Last ? $"{First}" : $"{First}-{Last}";
}
