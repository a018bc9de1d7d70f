using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Topology;

/// <summary>
/// Reads the reply to CLUSTER SHARDS (Redis 7.0): for each shard its slots, and its nodes with role, health, preferred
/// endpoint and the ports without and with TLS. Source: https://redis.io/docs/latest/commands/cluster-shards.
/// </summary>
internal static class ShardsReply
{
    /// <exception cref="RedisProtocolException">It is not what CLUSTER SHARDS answers.</exception>
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
        return nodes.At(host, Port(member, asked), asked);
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
