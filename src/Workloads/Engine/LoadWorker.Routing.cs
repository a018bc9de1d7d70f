using RedisLatency.Redis;
using RedisLatency.Redis.Topology;
using RedisLatency.Workloads.Commands;

namespace RedisLatency.Workloads.Engine;

/// <content>
/// Several servers, of a cluster or of a primary with replicas: an operation goes to the one that serves its key, over
/// connections of its own to each. What a node redirects is followed, within the same operation, and its latency goes
/// on.
/// </content>
internal sealed partial class LoadWorker
{
    /// <summary>As many times as a redirection is followed before it counts as an error.</summary>
    private const int MostRedirections = 16;

    private readonly SlotMapSource? _source;
    private readonly SlotRoutes _routes = new();
    private NodeConnections?[] _nodes = [];
    private readonly List<LoadConnection> _written = [];
    private readonly byte[] _key = new byte[CommandTemplate.LongestRoutedKey];
    private uint _anyShard;
    private uint _nextReplica;
    private long _unservedSince;
    private RedisException? _lost;

    /// <summary>The servers that operations were sent to, by number; null where there were none.</summary>
    public IReadOnlyList<NodeConnections?> Nodes => _nodes;

    /// <summary>What an operation ends with whose node had no connection until the end.</summary>
    private static ReadOnlySpan<byte> NoNode => "(unreachable) no connection to the node that serves the key"u8;

    private bool FollowsRedirections => _plan.IsCluster;

    private static bool IsRedirection(ReadOnlySpan<byte> error) =>
        Redirection.TryParse(error, out var redirection)
        && redirection.Kind is RedirectionKind.Moved or RedirectionKind.Ask;

    private void BeginRouted(long intended)
    {
        Draw(out var operation, intended);
        if (Route(operation) is { } connection)
            WriteRouted(connection, operation);
        else if (_schedule is null && _waiting.Count >= MostWaiting && MayBeLeft(operation))
            TakeBack(operation);
        else
            Await(operation);
    }

    /// <summary>
    /// How many operations of a closed loop wait for servers that are away, beside those that the others are sent: as
    /// many as a shard has in flight on average. They stand for the callers that such a server keeps waiting.
    /// </summary>
    private int MostWaiting => Math.Max(1, _capacity / Math.Max(1, _routes.Map.Shards.Count));

    /// <summary>How many of them take nobody's place: the other shards have as much in flight as ever.</summary>
    private int WaitingAside => _routes.HasOneShard ? 0 : Math.Min(_waiting.Count, MostWaiting);

    // What is to be written once, by a load or an insert, cannot be left for another key.
    private bool MayBeLeft(in InFlightOperation operation) =>
        !_plan.HasEveryKeyOnce && _operations[operation.Operation].KeyStream != DrawnKeys.InsertStream;

    /// <summary>Closed loop: whoever would wait for that server waits already; another key is drawn.</summary>
    private void TakeBack(in InFlightOperation operation)
    {
        _counts[operation.Series].Sent--;
        _inFlight--;
        if (operation.Series < _operations.Length)
            _left++;
    }

    /// <summary>Waits for a connection, or for a map that names another node.</summary>
    private void Await(InFlightOperation operation)
    {
        // Its wait is part of its latency: who sent it did so now, and only this tool knows that nobody is there.
        if (operation.Sent == 0)
            Begun(ref operation, _now);
        var due = _now + FirstPauseNs;
        _waiting.Enqueue(operation, due);
        _nextTick = Math.Min(_nextTick, due);
    }

    private LoadConnection? Route(in InFlightOperation operation)
    {
        var command = _operations[operation.Operation].Command;
        var slot = SlotOf(command, operation.Key);
        return _plan.ReadFrom != ReadPreference.Primary && command.OnlyReads
            ? RouteRead(operation, slot)
            : RouteToPrimary(slot);
    }

    private int SlotOf(CommandTemplate command, long key)
    {
        if (_routes.HasOneShard)
            return 0;
        var length = command.WriteRoutedKey(_key, _inputs, key);
        if (length > 0 || _routes.Map.Shards.Count == 0)
            return KeySlot.Of(_key.AsSpan(0, length));
        // Any node will do: the shards in turn.
        return _routes.Map.Shards[(int)(_anyShard++ % (uint)_routes.Map.Shards.Count)].Ranges[0].First;
    }

    private LoadConnection? RouteToPrimary(int slot)
    {
        var number = _routes.PrimaryOf(slot);
        if (number >= 0 && _nodes[number] is { IsDown: false } node)
            return node.NextWithRoom();
        // Nobody will say MOVED for a node that is gone: only a newer map tells who has taken its place.
        _source!.Doubt(_routes.Map);
        LookWhetherLost(slot, number);
        return null;
    }

    private LoadConnection? RouteRead(in InFlightOperation operation, int slot)
    {
        var replicas = _routes.ReplicasOf(slot);
        var servers = replicas.Count + (_plan.ReadFrom == ReadPreference.Any ? 1 : 0);
        var isUp = false;
        for (var tried = 0; tried < servers; tried++)
        {
            var place = (int)(_nextReplica++ % (uint)servers);
            var number = place < replicas.Count ? replicas[place].Number : _routes.PrimaryOf(slot);
            if (number < 0 || _nodes[number] is not { IsDown: false } node)
                continue;
            isUp = true;
            if (node.NextWithRoom() is { } connection)
                return connection;
        }

        if (isUp)
            return null;
        LookForReplicas(AloneLookNs);
        var primary = RouteToPrimary(slot);
        if (primary is not null && operation.Series < _operations.Length)
            Counts.ReadsOfPrimary++;
        return primary;
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

    private void WriteRouted(LoadConnection connection, in InFlightOperation operation)
    {
        WriteTo(connection, operation);
        if (connection.Unflushed == 1)
            _written.Add(connection);
    }

    private void WriteTo(LoadConnection connection, in InFlightOperation operation)
    {
        WriteAgain(connection, operation);
        if (operation.Series >= _operations.Length)
            return;
        var node = connection.Server!;
        if (_operations[operation.Operation].Command.OnlyReads)
            node.Reads++;
        else
            node.Writes++;
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
        var asked = connection.Server!.Node;
        var named = _source!.NodeOf(redirection, asked);
        var node = ConnectionsTo(named);
        if (isMoved)
        {
            // What is drawn from now on need not be led there again while the newer map is asked for.
            _routes.Move(redirection.Slot, named);
            _source.Doubt(_routes.Map, asked);
        }

        var followed = operation;
        followed.Redirections++;
        _counts[operation.Series].Redirected++;
        if (node.NextWithRoom() is not { } other)
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
        WriteTo(other, followed);
        other.Newest(1).RepliesLeft++;
        return true;
    }
}
