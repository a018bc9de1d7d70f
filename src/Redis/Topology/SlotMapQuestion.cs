using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Topology;

/// <summary>
/// Asks the servers of a cluster, one after the other, who serves which slot. CLUSTER SLOTS is asked before CLUSTER
/// SHARDS, because it names the owner of each range and the ports for this kind of connection, while a shard's slots
/// may be missing after a failover (https://github.com/redis/redis/issues/13414) and, in Redis 7.0, so may its TLS
/// ports. Used by one thread at a time.
/// </summary>
internal sealed class SlotMapQuestion(RedisEndpoint endpoint, ClusterNodes nodes, RedisConnectionOptions options)
    : ISlotMapQuestion
{
    private readonly RedisConnectionOptions _options =
        options with { ClientName = "redislatency-slots", BusyPoll = false };

    private readonly HashSet<ClusterNode> _silent = [];
    private int _next;

    public SlotMap Ask(ClusterNode? witness, long version)
    {
        var problems = new List<RedisException>();
        foreach (var node in InOrder(witness))
        {
            try
            {
                var shards = AskNode(node, isFirst: version == 0);
                var map = new SlotMap(version, shards);
                _silent.Remove(node);
                return map;
            }
            catch (RedisException problem)
            {
                _silent.Add(node);
                problems.Add(problem);
            }
        }

        throw Failure(problems);
    }

    public void Dispose()
    {
        // Each question has a connection of its own.
    }

    // In turn, so that no single server's view is the only one; those that did not answer last time come last.
    private List<ClusterNode> InOrder(ClusterNode? witness)
    {
        var known = nodes.Known;
        var first = _next++ % known.Count;
        return
        [
            .. known.Skip(first).Concat(known.Take(first))
                .OrderBy(node => _silent.Contains(node) ? 2 : node == witness ? 0 : 1),
        ];
    }

    private IReadOnlyList<ClusterShard> AskNode(ClusterNode node, bool isFirst)
    {
        // At first the user's own limits hold: nobody else can be asked yet.
        var most = isFirst ? TimeSpan.MaxValue : SentinelResolver.MostPerServer;
        using var connection = RedisConnection.OpenWithin(most, node.Endpoint with { Database = 0 }, _options);
        var slots = connection.Request(RespLimits.List, "CLUSTER", "SLOTS");
        if (!slots.IsError)
            return SlotsReply.Read(slots, nodes, node);
        var shards = connection.Request(RespLimits.List, "CLUSTER", "SHARDS");
        if (!shards.IsError)
            return ShardsReply.Read(shards, nodes, node);
        throw ConnectFault.Refused(
            node.Endpoint,
            slots,
            $"the user may not ask for the slots; to allow it: {AclLine.For(node.Endpoint.User, "+cluster|slots")}",
            "the server gives no slot map; is it one of a cluster (cluster-enabled yes)?");
    }

    private RedisException Failure(List<RedisException> problems)
    {
        // What trying again does not cure is what the user must know first.
        var reason = problems.Find(problem => !problem.IsTransient) ?? problems[0];
        if (problems.Count == 1)
            return reason;
        var failure = reason is RedisConnectException connect ? connect.Reason
            : reason.IsTransient ? ConnectFailure.Unreachable
            : ConnectFailure.RefusedByServer;
        return new RedisConnectException(
            failure,
            $"{endpoint}: no server of the cluster gives a slot map: "
            + string.Join("; ", problems.Select(problem => problem.Message)),
            reason);
    }
}
