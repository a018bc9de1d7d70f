using RedisLatency.Redis.Cluster;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine.Connections;
using RedisLatency.Workloads.Engine.Routing;

namespace RedisLatency.Workloads.Engine.Workers;

/// <content>
/// A cluster: an operation goes to the node that serves its key, over connections of its own to each. What a node
/// redirects is followed, within the same operation, and its latency goes on.
/// </content>
internal sealed partial class LoadWorker
{
    /// <summary>As many times as a redirection is followed before it counts as an error.</summary>
    private const int MostRedirections = 16;

    private readonly SlotMapSource? _cluster;
    private readonly List<NodeConnections?> _nodes = [];
    private readonly List<LoadConnection> _written = [];
    private readonly byte[] _key = new byte[CommandTemplate.LongestRoutedKey];
    private SlotMap? _map;
    private int _anyNode;

    /// <summary>What an operation ends with whose node had no connection until the end.</summary>
    private static ReadOnlySpan<byte> NoNode => "(unreachable) no connection to the node that serves the key"u8;

    private static bool IsRedirection(ReadOnlySpan<byte> error) =>
        Redirection.TryParse(error, out var redirection)
        && redirection.Kind is RedirectionKind.Moved or RedirectionKind.Ask;

    /// <summary>Takes over a newer map: new nodes get connections.</summary>
    private void TakeMap()
    {
        if (_cluster is null || ReferenceEquals(_map, _cluster.Current))
            return;
        _map = _cluster.Current;
        foreach (var shard in _map.Shards)
            ConnectionsTo(shard.Primary);
    }

    private NodeConnections ConnectionsTo(ClusterNode node)
    {
        while (_nodes.Count <= node.Number)
            _nodes.Add(null);
        if (_nodes[node.Number] is { } known)
            return known;
        var first = _connections.Length;
        Array.Resize(ref _connections, first + _plan.ConnectionsPerThread);
        for (var token = first; token < _connections.Length; token++)
        {
            _connections[token] =
                new LoadConnection(token, node.Endpoint, _plan.Pipeline, new RequestBuffer(1024)) { Node = node };
            // Before the start the engine opens them all itself.
            if (_start != 0)
                _opener.Request(token, node.Endpoint);
        }

        return _nodes[node.Number] = new NodeConnections(_connections.AsSpan(first).ToArray());
    }

    private void BeginRouted(long intended)
    {
        Draw(out var operation, intended);
        if (Route(operation) is { } connection)
            WriteRouted(connection, operation);
        else
            Await(operation);
    }

    /// <summary>Waits for a connection, or for a map that names another node.</summary>
    private void Await(in InFlightOperation operation)
    {
        var due = _now + FirstPauseNs;
        _waiting.Enqueue(operation, due);
        _nextTick = Math.Min(_nextTick, due);
    }

    private LoadConnection? Route(in InFlightOperation operation)
    {
        var command = _operations[operation.Operation].Command;
        var length = command.WriteRoutedKey(_key, _inputs, operation.Key);
        if (length == 0 && _map!.Shards.Count > 0)
            return _nodes[_map.Shards[_anyNode++ % _map.Shards.Count].Primary.Number]!.NextWithRoom();
        var number = _map!.PrimaryNumber(KeySlot.Of(_key.AsSpan(0, length)));
        if (number >= 0 && _nodes[number] is { IsDown: false } node)
            return node.NextWithRoom();
        // Nobody will say MOVED for a node that is gone: only a newer map tells who has taken its place.
        _cluster!.Doubt(_map);
        return null;
    }

    private void WriteRouted(LoadConnection connection, in InFlightOperation operation)
    {
        WriteAgain(connection, operation);
        if (connection.Unflushed == 1)
            _written.Add(connection);
    }

    /// <summary>Sends what was written for nodes since the last time.</summary>
    private void FlushRouted()
    {
        if (_written.Count == 0)
            return;
        foreach (var connection in _written)
            Flush(connection);
        _written.Clear();
    }

    /// <summary>Sends an operation to the node that a reply names.</summary>
    /// <returns>Whether the reply names one.</returns>
    private bool TryFollow(LoadConnection connection, in InFlightOperation operation, ReadOnlySpan<byte> error)
    {
        if (operation.Redirections >= MostRedirections
            || !Redirection.TryParse(error, out var redirection)
            || redirection.Kind is not (RedirectionKind.Moved or RedirectionKind.Ask))
            return false;
        var isMoved = redirection.Kind == RedirectionKind.Moved;
        if (isMoved)
            _cluster!.Doubt(_map!, connection.Node);
        var followed = operation;
        followed.Redirections++;
        _counts[operation.Series].Redirected++;
        if (ConnectionsTo(_cluster!.NodeOf(redirection, connection.Node!)).NextWithRoom() is not { } other)
        {
            Await(followed);
            return true;
        }

        if (isMoved)
        {
            WriteRouted(other, followed);
            return true;
        }

        if (other.Unflushed == 0)
            _written.Add(other);
        other.Requests.Write("*1\r\n$6\r\nASKING\r\n"u8);
        WriteAgain(other, followed);
        other.Newest(1).RepliesLeft++;
        return true;
    }

    private void Doubt(LoadConnection connection)
    {
        if (connection.Node is { } node)
            _cluster!.Doubt(_map!, node);
    }
}
