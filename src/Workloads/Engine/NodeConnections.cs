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
