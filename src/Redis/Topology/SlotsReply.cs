using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Topology;

/// <summary>
/// Reads the reply to CLUSTER SLOTS: for each range its primary and then its replicas, each as preferred endpoint,
/// port, id and, from Redis 7.0 on, other addresses. The port is the one for connections like the one that asked.
/// Source: https://redis.io/docs/latest/commands/cluster-slots.
/// </summary>
internal static class SlotsReply
{
    /// <exception cref="RedisProtocolException">It is not what CLUSTER SLOTS answers.</exception>
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
        return port == 0 ? null : nodes.At(host, port, asked);
    }
}
