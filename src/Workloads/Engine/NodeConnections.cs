using RedisLatency.Redis.Topology;

namespace RedisLatency.Workloads.Engine;

/// <summary>A worker's connections to one server of several, and what was sent there.</summary>
internal sealed class NodeConnections
{
    private readonly SlotRoutes _routes;
    private readonly LoadConnection[] _connections;
    private int _current;

    public NodeConnections(
        ClusterNode node, SlotRoutes routes, long since, Func<NodeConnections, LoadConnection[]> connections)
    {
        Node = node;
        _routes = routes;
        DownSince = since;
        _connections = connections(this);
    }

    public ClusterNode Node { get; }

    public bool IsPrimary => _routes.Map.ShardWith(Node)?.Primary == Node;

    public ReadOnlySpan<LoadConnection> Connections => _connections;

    /// <summary>Commands that only read, sent to it since measuring began; those that were sent again too.</summary>
    public long Reads { get; set; }

    public long Writes { get; set; }

    /// <summary>Whether a map has had it as a server of operations.</summary>
    public bool IsMapped { get; set; }

    /// <summary>Since when it is in no map any more; zero while it is in use.</summary>
    public long RetiredAt { get; set; }

    public long DownSince { get; set; }

    public bool IsDown
    {
        get
        {
            foreach (var connection in _connections)
            {
                if (connection.Socket is not null)
                    return false;
            }

            return true;
        }
    }

    public void Doubt() => _routes.Doubt(Node);

    public void StartAt(LoadConnection connection) =>
        _current = (connection.Token - _connections[0].Token + _connections.Length - 1) % _connections.Length;

    /// <summary>The one written last until it is full, so that requests travel together, then the next.</summary>
    public LoadConnection? NextWithRoom()
    {
        if (_connections[_current].Unflushed > 0 && _connections[_current].HasRoom)
            return _connections[_current];
        for (var tried = 0; tried < _connections.Length; tried++)
        {
            _current = (_current + 1) % _connections.Length;
            if (_connections[_current].HasRoom)
                return _connections[_current];
        }

        return null;
    }
}

/// <summary>A worker's connections to the servers that come into a map and leave it.</summary>
internal sealed class ServerNodes(
    EnginePlan plan, int each, SlotRoutes routes, WorkerTime time, WorkerConnections connections)
{
    // How long a server that is in no map any more may take to answer what it was sent.
    private const long RetirementNs = 2_000_000_000;

    private NodeConnections?[] _all = [];
    private int _retired;

    /// <summary>By number; null where nothing is sent. Read by other threads, too.</summary>
    public NodeConnections?[] All => _all;

    public void TakeMap()
    {
        foreach (var shard in routes.Map.Shards)
        {
            ConnectionsTo(shard.Primary).IsMapped = true;
            if (plan.ReadFrom == ReadPreference.Primary)
                continue;
            foreach (var replica in shard.Replicas)
                ConnectionsTo(replica).IsMapped = true;
        }

        foreach (var node in _all)
        {
            if (node is { IsMapped: true, RetiredAt: 0 } && !IsInUse(node))
            {
                node.RetiredAt = time.Now;
                _retired++;
            }
        }
    }

    public NodeConnections ConnectionsTo(ClusterNode node)
    {
        // Others may be reading the old ones meanwhile.
        if (_all.Length <= node.Number)
            Array.Resize(ref _all, node.Number + 1);
        if (_all[node.Number] is { } known)
        {
            if (known.RetiredAt != 0)
                Reinstate(known);
            return known;
        }

        return _all[node.Number] = new NodeConnections(
            node,
            routes,
            time.Now,
            server => connections.Add(Enumerable.Repeat(node.Endpoint, each), server: server));
    }

    /// <summary>Of servers that left the map, once they have answered: one that was stopped never may.</summary>
    public void CloseRetired()
    {
        if (_retired == 0)
            return;
        foreach (var server in _all)
        {
            if (server is null or { RetiredAt: 0 })
                continue;
            var isOver = time.Now - server.RetiredAt > RetirementNs;
            foreach (var connection in server.Connections)
            {
                if (connection.Socket is null)
                    continue;
                if (connection.InFlight == 0)
                    connections.CloseUnused(connection);
                else if (isOver)
                    connections.Break(connection, $"{server.Node} was replaced and did not answer");
            }
        }
    }

    private bool IsInUse(NodeConnections server) =>
        plan.ReadFrom == ReadPreference.Primary ? server.IsPrimary : routes.Map.ShardWith(server.Node) is not null;

    private void Reinstate(NodeConnections server)
    {
        server.RetiredAt = 0;
        server.DownSince = time.Now;
        _retired--;
        foreach (var connection in server.Connections)
        {
            if (connection.Socket is null)
                connections.Reopen(connection);
        }
    }
}
