using System.Text;

namespace RedisLatency.Sync.Scan;

// What a scan was begun on: where another is, or other slots are, it does not come to all keys.
internal static class ScanPlace
{
    private const int ConfigEpoch = 6;
    private const int FirstSlot = 8;

    // From CLUSTER NODES: the server's own, or of a replica its primary's; in brackets those that come and go.
    public static HeldSlots SlotsOf(ReadOnlySpan<byte> nodes)
    {
        var all = Encoding.ASCII.GetString(nodes).Split('\n').Select(line => line.Split(' '))
            .Where(fields => fields.Length >= FirstSlot).ToList();
        var own = all.Find(fields => fields[2].Contains("myself", StringComparison.Ordinal)) ?? [];
        var owner = all.Find(fields => own.Length > 0 && fields[0] == own[3]) ?? own;
        return owner.Length == 0
            ? HeldSlots.None
            : new HeldSlots(owner[0], owner[ConfigEpoch], string.Join(' ', owner.Skip(FirstSlot))) { Node = own[0] };
    }
}

// The slots of a primary at one time, as CLUSTER NODES has them; its epoch rises when it takes over a slot, or the
// place of another primary.
internal readonly record struct HeldSlots(string Owner, string Epoch, string Slots)
{
    public static readonly HeldSlots None = new(string.Empty, string.Empty, string.Empty);

    // Of the whole cluster: it rises with each of these changes. 0 where it was not asked for.
    public long ClusterEpoch { get; init; }

    // Who says so: the owner, or a replica of it.
    public string? Node { get; init; }

    public bool HaveMovedSince(in HeldSlots before) =>
        Slots != before.Slots || Slots.Contains('[', StringComparison.Ordinal);

    // Away and back, unless it was a replica meanwhile.
    public bool MayHaveMovedSince(in HeldSlots before) => Owner == before.Owner && Epoch != before.Epoch;
}
