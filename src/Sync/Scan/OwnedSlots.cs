namespace RedisLatency.Sync.Scan;

/// <summary>
/// The slots of a primary at one time, as CLUSTER NODES has them; its epoch rises when it takes over a slot, or the
/// place of another primary.
/// </summary>
internal readonly record struct OwnedSlots(string Owner, string Epoch, string Slots)
{
    public static readonly OwnedSlots None = new(string.Empty, string.Empty, string.Empty);

    // Of the whole cluster: it rises with each of these changes. 0 where it was not asked for.
    public long ClusterEpoch { get; init; }

    // Who says so: the owner, or a replica of it.
    public string? Node { get; init; }

    public bool HaveMovedSince(in OwnedSlots before) =>
        Slots != before.Slots || Slots.Contains('[', StringComparison.Ordinal);

    // Away and back, unless it was a replica meanwhile.
    public bool MayHaveMovedSince(in OwnedSlots before) => Owner == before.Owner && Epoch != before.Epoch;
}
