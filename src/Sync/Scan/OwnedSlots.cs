using System.Text;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Sync.Scan;

/// <summary>
/// The slots of a primary at one time, as CLUSTER NODES has them; its epoch rises when it takes over a slot, or the
/// place of another primary.
/// </summary>
/// <param name="Owner">Who has them: the server that says so, or its primary.</param>
/// <param name="Epoch">That of the owner.</param>
/// <param name="Slots">In brackets those that come and go.</param>
/// <param name="Node">Who says so.</param>
internal readonly record struct OwnedSlots(string Owner, string Epoch, string Slots, string Node)
{
    private const int ConfigEpoch = 6;
    private const int FirstSlot = 8;

    /// <returns>Null where it does not say.</returns>
    public static OwnedSlots? Ask(RedisEndpoint server, RedisConnectionOptions options)
    {
        try
        {
            using var connection = RedisConnection.Open(server, options);
            return connection.Request(RespLimits.List, "CLUSTER", "NODES") is { IsError: false } nodes
                ? Parse(nodes.Content)
                : null;
        }
        catch (RedisException)
        {
            return null;
        }
    }

    // Also away and back, unless it was a replica meanwhile.
    public bool HaveMovedSince(in OwnedSlots before) => Slots != before.Slots
        || Slots.Contains('[', StringComparison.Ordinal) || (Owner == before.Owner && Epoch != before.Epoch);

    private static OwnedSlots? Parse(ReadOnlySpan<byte> nodes)
    {
        var all = Encoding.ASCII.GetString(nodes).Split('\n').Select(line => line.Split(' '))
            .Where(fields => fields.Length >= FirstSlot).ToList();
        if (all.Find(fields => fields[2].Contains("myself", StringComparison.Ordinal)) is not { } own)
            return null;
        var owner = all.Find(fields => fields[0] == own[3]) ?? own;
        return new(owner[0], owner[ConfigEpoch], string.Join(' ', owner.Skip(FirstSlot)), own[0]);
    }
}
