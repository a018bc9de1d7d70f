using System.Text;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Topology;

/// <summary>
/// Reads the reply to CLUSTER SLOTS: for each range its primary and then its replicas, each as preferred endpoint,
/// port, id and, from Redis 7.0 on, other addresses. The port is the one for connections like the one that asked.
/// Source: https://redis.io/docs/latest/commands/cluster-slots.
/// </summary>
internal static class SlotsReply
{
    public static IReadOnlyList<ClusterShard> Read(RespValue reply, ClusterNodes nodes, ClusterNode asked)
    {
        if (reply.Type != RespType.Array)
            throw new RedisProtocolException($"the slots are {reply}");
        var shards = new Dictionary<ClusterNode, (HashSet<ClusterNode> Replicas, List<SlotRange> Ranges)>();
        foreach (var entry in reply.Items)
        {
            if (entry.Items.Count < 3)
                throw new RedisProtocolException($"slots without a server: {entry}");
            var range = NamedNode.Range(entry.Items[0], entry.Items[1]);
            var primary = Node(entry.Items[2], nodes, asked)
                ?? throw new RedisProtocolException($"the primary of the slots {range} has no port to connect to");
            if (!shards.TryGetValue(primary, out var shard))
                shards[primary] = shard = ([], []);
            shard.Ranges.Add(range);
            foreach (var replica in entry.Items.Skip(3))
            {
                if (Node(replica, nodes, asked) is { } node && node != primary)
                    shard.Replicas.Add(node);
            }
        }

        return ShardOrder.Sort(shards.Select(
            shard => new ClusterShard(shard.Key, [.. shard.Value.Replicas], shard.Value.Ranges)));
    }

    private static ClusterNode? Node(RespValue entry, ClusterNodes nodes, ClusterNode asked)
    {
        if (entry.Items.Count < 2)
            throw new RedisProtocolException($"a server without host and port: {entry}");
        var others = entry.Items.Count > 3 ? entry.Items[3] : null;
        var host = entry.Items[0] is { IsNull: false, Content.IsEmpty: false }
            ? NamedNode.Host(entry.Items[0], others?.Find("ip"), others?.Find("hostname"))
            : [];
        var port = NamedNode.Port(entry.Items[1]);
        return port == 0 ? null : nodes.At(host, port, asked).Named(entry.Items.ElementAtOrDefault(2));
    }
}

/// <summary>
/// Reads the reply to CLUSTER SHARDS (Redis 7.0): for each shard its slots, and its nodes with role, health, preferred
/// endpoint and the ports without and with TLS. Source: https://redis.io/docs/latest/commands/cluster-shards.
/// </summary>
internal static class ShardsReply
{
    public static IReadOnlyList<ClusterShard> Read(RespValue reply, ClusterNodes nodes, ClusterNode asked)
    {
        if (reply.Type != RespType.Array)
            throw new RedisProtocolException($"the shards are {reply}");
        return ShardOrder.Sort(reply.Items.Select(shard => Shard(shard, nodes, asked)).OfType<ClusterShard>());
    }

    private static ClusterShard? Shard(RespValue shard, ClusterNodes nodes, ClusterNode asked)
    {
        var slots = Field(shard, "slots").Items;
        if (slots.Count % 2 != 0)
            throw new RedisProtocolException($"a range of slots has no end: {shard}");
        var ranges = new List<SlotRange>();
        for (var i = 0; i < slots.Count; i += 2)
            ranges.Add(NamedNode.Range(slots[i], slots[i + 1]));
        if (ranges.Count == 0)
            return null;
        var members = Field(shard, "nodes").Items;
        var primary = Primary(members, ranges[0]);
        var replicas = members
            .Where(member => Field(member, "role").Text != "master" && IsOnline(member) && Port(member, asked) != 0)
            .Select(member => Node(member, nodes, asked));
        if (Port(primary, asked) == 0)
            throw new RedisProtocolException($"the primary of the slots {ranges[0]} has no port to connect to");
        return new ClusterShard(Node(primary, nodes, asked), [.. replicas], ranges);
    }

    // After a failover the dead primary may still be listed as one, beside the new one.
    private static RespValue Primary(IReadOnlyList<RespValue> members, SlotRange range)
    {
        var primaries = members.Where(member => Field(member, "role").Text == "master").ToList();
        var online = primaries.Where(IsOnline).ToList();
        return (online.Count, primaries.Count) switch
        {
            (1, _) => online[0],
            (0, 1) => primaries[0],
            _ => throw new RedisProtocolException($"the slots {range} have {online.Count} primaries"),
        };
    }

    private static bool IsOnline(RespValue member) =>
        member.Find("health") is not { } health || health.Text == "online";

    private static ClusterNode Node(RespValue member, ClusterNodes nodes, ClusterNode asked)
    {
        var preferred = member.Find("endpoint");
        var host = preferred is { IsNull: true } or { Content.IsEmpty: true }
            ? []
            : NamedNode.Host(preferred, member.Find("ip"), member.Find("hostname"));
        return nodes.At(host, Port(member, asked), asked).Named(member.Find("id"));
    }

    // Where a node names only one port, it is the one there is.
    private static int Port(RespValue member, ClusterNode asked)
    {
        var port = asked.Endpoint.UseTls
            ? member.Find("tls-port") ?? member.Find("port")
            : member.Find("port");
        return port is null ? 0 : NamedNode.Port(port);
    }

    private static RespValue Field(RespValue map, string name) =>
        map.Find(name) ?? throw new RedisProtocolException($"'{name}' is missing: {map}");
}

internal static class NamedNode
{
    public static SlotRange Range(RespValue first, RespValue last)
    {
        var range = (First: Number(first), Last: Number(last));
        if (range.First < 0 || range.Last >= KeySlot.Count || range.First > range.Last)
            throw new RedisProtocolException($"the slots {range.First} to {range.Last} are no range of a cluster's");
        return new SlotRange((int)range.First, (int)range.Last);
    }

    public static int Port(RespValue value)
    {
        var port = Number(value);
        return port is >= 0 and <= ushort.MaxValue
            ? (int)port
            : throw new RedisProtocolException($"a server's port is {port}");
    }

    /// <summary>The first of the places to find a host's name that has one; empty where none does.</summary>
    public static byte[] Host(params ReadOnlySpan<RespValue?> places)
    {
        foreach (var place in places)
        {
            var host = place is { IsNull: false } ? place.Text.Trim() : string.Empty;
            if (ClusterHost.IsKnown(host))
                return Encoding.UTF8.GetBytes(host);
        }

        return [];
    }

    private static long Number(RespValue value) => value.Type == RespType.Integer
        ? value.Number
        : throw new RedisProtocolException($"a number is {value}");
}

internal static class ShardOrder
{
    public static IReadOnlyList<ClusterShard> Sort(IEnumerable<ClusterShard> shards) =>
    [
        .. shards
            .Select(shard => shard with { Ranges = [.. shard.Ranges.OrderBy(range => range.First)] })
            .OrderBy(shard => shard.Ranges[0].First),
    ];
}
