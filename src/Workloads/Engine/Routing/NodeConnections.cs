using RedisLatency.Workloads.Engine.Connections;

namespace RedisLatency.Workloads.Engine.Routing;

/// <summary>A worker's connections to one node of a cluster.</summary>
internal sealed class NodeConnections(LoadConnection[] connections)
{
    private int _current;

    /// <summary>Whether all connections to it are lost.</summary>
    public bool IsDown => Array.TrueForAll(connections, connection => connection.Socket is null);

    /// <summary>
    /// A connection with room: the one that was written last until it is full, so that requests travel together, then
    /// the next.
    /// </summary>
    public LoadConnection? NextWithRoom()
    {
        if (connections[_current].Unflushed > 0 && connections[_current].HasRoom)
            return connections[_current];
        for (var tried = 0; tried < connections.Length; tried++)
        {
            _current = (_current + 1) % connections.Length;
            if (connections[_current].HasRoom)
                return connections[_current];
        }

        return null;
    }
}
