using System.Text;

namespace RedisLatency.Sync.Scan;

// What a scan was begun on: where another is, or other slots are, it does not come to all keys.
internal static class ClusterNodesText
{
    private const int ConfigEpoch = 6;
    private const int FirstSlot = 8;

    // From CLUSTER NODES: the server's own, or of a replica its primary's; in brackets those that come and go.
    public static OwnedSlots SlotsOf(ReadOnlySpan<byte> nodes)
    {
        var all = Encoding.ASCII.GetString(nodes).Split('\n').Select(line => line.Split(' '))
            .Where(fields => fields.Length >= FirstSlot).ToList();
        var own = all.Find(fields => fields[2].Contains("myself", StringComparison.Ordinal)) ?? [];
        var owner = all.Find(fields => own.Length > 0 && fields[0] == own[3]) ?? own;
        return owner.Length == 0
            ? OwnedSlots.None
            : new OwnedSlots(owner[0], owner[ConfigEpoch], string.Join(' ', owner.Skip(FirstSlot))) { Node = own[0] };
    }
}
