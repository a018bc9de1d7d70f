using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Workloads.Engine;

/// <summary>Sends operations to the server of their key; redirections are followed, and the latency goes on.</summary>
internal sealed class NodeRouting : OperationRouting
{
    // Keys drawn at least to find one whose server is there.
    private const int LeastTries = 16;

    // How often replicas are looked for that no map has yet, and how often while none is up.
    private const long ReplicaLookNs = 10_000_000_000;
    private const long AloneLookNs = 1_000_000_000;

    private readonly EnginePlan _plan;
    private readonly WorkerTime _time;
    private readonly WorkerOperations _operations;
    private readonly WorkerConnections _connections;
    private readonly RetryQueue _retries;
    private readonly SlotMapSource _source;
    private readonly SlotRoutes _routes;
    private readonly ServerNodes _nodes;
    private readonly List<LoadConnection> _written = [];
    private uint _anyShard;
    private uint _nextReplica;
    private long _unservedSince;
    private long _lastReplicaLook;
    private RedisException? _lost;

    public NodeRouting(
        EnginePlan plan,
        SlotMapSource source,
        WorkerTime time,
        WorkerOperations operations,
        WorkerConnections connections,
        RetryQueue retries)
    {
        _plan = plan;
        _time = time;
        _operations = operations;
        _connections = connections;
        _retries = retries;
        _source = source;
        _routes = new SlotRoutes(source);
        _nodes = new ServerNodes(plan, operations.Capacity / plan.Pipeline, _routes, time, connections);
        _nodes.TakeMap();
    }

    public override bool AwaitsServers => true;

    public IReadOnlyList<NodeConnections?> Nodes => _nodes.All;

    private bool MayBegin => _operations.IsSending && _operations.InFlight - WaitingAside < _operations.Capacity;

    // Operations of a closed loop that wait for servers that are away, beside those that the others are sent: as many
    // as a shard has in flight on average. They stand for the callers that such a server keeps waiting.
    private int MostWaiting => Math.Max(1, _operations.Capacity / Math.Max(1, _routes.Map.Shards.Count));

    /// <summary>How many of them take nobody's place: the other shards have as much in flight as ever.</summary>
    private int WaitingAside => _retries.Count == 0 || _routes.HasOneShard ? 0 : Math.Min(_retries.Count, MostWaiting);

    public override void Refill(LoadConnection connection)
    {
        connection.Server?.StartAt(connection);
        Fill();
        _connections.Flush(connection);
        FlushWritten();
    }

    public override void Refill()
    {
        Fill();
        FlushWritten();
    }

    public override void Offer(LoadConnection connection)
    {
        _connections.Flush(connection);
        FlushWritten();
    }

    public override bool TryBegin(long due)
    {
        _operations.Draw(out var operation, due);
        var request = Place(ref operation);
        if (Route(operation) is { } connection)
            Write(connection, operation, request);
        else
            _retries.Await(operation, request);
        FlushWritten();
        return true;
    }

    public override bool TrySendAgain(in InFlightOperation operation, ReadOnlySpan<byte> request)
    {
        if (Route(operation) is not { } connection)
            return false;
        WriteTo(connection, operation, request);
        _connections.Flush(connection);
        return true;
    }

    public override bool Follows => _plan.IsCluster;

    public override void Doubt() => _routes.Doubt();

    public override bool TryFollow(LoadConnection connection, in InFlightOperation operation, ReadOnlySpan<byte> error)
    {
        if (connection.Server is not { } asked || !Redirection.TryParse(error, out var redirection))
            return false;
        var node = _nodes.ConnectionsTo(_routes.Follow(redirection, asked.Node));
        var followed = operation;
        followed.Slot = (short)redirection.Slot;
        _operations.CountsOf(operation).Redirected++;
        var request = _operations.RequestOf(connection, operation);
        if (node.NextWithRoom() is not { } other)
            _retries.Await(followed, request);
        else if (redirection.Kind == ErrorKind.Moved)
            Write(other, followed, request);
        else
            WriteAsking(other, followed, request);
        return true;
    }

    public override void Tick()
    {
        if (_lost is not null)
            throw _lost;
        if (_routes.TryTakeNewer())
        {
            _nodes.TakeMap();
            if (_routes.Map.IsComplete)
                _unservedSince = 0;
        }

        _nodes.CloseRetired();
        RefreshReplicas(ReplicaLookNs);
    }

    private void Fill()
    {
        // Where nearly all keys are of servers that are away, the next reply or tick goes on trying.
        for (var tries = _operations.Capacity + LeastTries; tries > 0 && MayBegin; tries--)
        {
            _operations.Draw(out var operation, _time.Now);
            var request = Place(ref operation);
            if (Route(operation) is { } connection)
                Write(connection, operation, request);
            // Whoever would wait for that server waits already; another key is drawn.
            else if (_retries.Count >= MostWaiting && MayBeLeft(operation))
                _operations.TakeBack(operation);
            else
                _retries.Await(operation, request);
        }
    }

    // What is to be written once, by a load or an insert, cannot be left for another key.
    private bool MayBeLeft(in InFlightOperation operation) =>
        !_plan.HasEveryKeyOnce && _operations.MixedOf(operation).KeyStream != DrawnKeys.InsertStream;

    private LoadConnection? Route(in InFlightOperation operation)
    {
        var slot = operation.Slot < 0 ? AnySlot() : operation.Slot;
        return _plan.ReadFrom != ReadPreference.Primary && _operations.MixedOf(operation).Command.OnlyReads
            ? RouteRead(operation, slot)
            : RouteToPrimary(slot);
    }

    // Where one shard has all slots no key decides anything.
    private ReadOnlySpan<byte> Place(ref InFlightOperation operation) =>
        _routes.HasOneShard ? [] : _operations.Place(ref operation);

    // Any node will do: the shards in turn.
    private int AnySlot() => _routes.Map.Shards.Count == 0 ? 0
        : _routes.Map.Shards[(int)(_anyShard++ % (uint)_routes.Map.Shards.Count)].Ranges[0].First;

    private LoadConnection? RouteToPrimary(int slot)
    {
        var number = _routes.PrimaryOf(slot);
        if (number >= 0 && _nodes.All[number] is { IsDown: false } node)
            return node.NextWithRoom();
        // Nobody will say MOVED for a node that is gone: only a newer map tells who has taken its place.
        _routes.Doubt();
        CheckWhetherLost(slot, number);
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
            if (number < 0 || _nodes.All[number] is not { IsDown: false } node)
                continue;
            isUp = true;
            if (node.NextWithRoom() is { } connection)
                return connection;
        }

        if (isUp)
            return null;
        RefreshReplicas(AloneLookNs);
        var primary = RouteToPrimary(slot);
        if (primary is not null && _operations.IsMeasured(operation))
            _operations.Counts.Load.ReadsOfPrimary++;
        return primary;
    }

    // A map that lacks a replica is found wrong by no reply.
    private void RefreshReplicas(long interval)
    {
        if (_plan.ReadFrom == ReadPreference.Primary || _time.Now - _lastReplicaLook < interval)
            return;
        _lastReplicaLook = _time.Now;
        _routes.Doubt();
    }

    private void CheckWhetherLost(int slot, int number)
    {
        var node = number < 0 ? null : _nodes.All[number];
        if (node is null && _unservedSince == 0)
            _unservedSince = _time.Now;
        var since = node?.DownSince ?? _unservedSince;
        if (_time.IsDraining || _time.Now - since <= _plan.ReconnectLimit.InNanoseconds)
            return;
        var what = node is null ? $"no server has slot {slot}" : $"no connection to {node.Node}";
        var why = (node is null ? _source.LastError : _connections.LastProblem) is { } problem
            ? $": {problem.Message}"
            : null;
        _lost ??= new RedisConnectionLostException($"{what} for {_plan.ReconnectLimit.TotalSeconds:0.###} s{why}");
    }

    private void FlushWritten()
    {
        if (_written.Count == 0)
            return;
        foreach (var connection in _written)
            _connections.Flush(connection);
        _written.Clear();
    }

    private void Write(LoadConnection connection, in InFlightOperation operation, ReadOnlySpan<byte> request)
    {
        WriteTo(connection, operation, request);
        if (connection.Unflushed == 1)
            _written.Add(connection);
    }

    private void WriteAsking(LoadConnection connection, in InFlightOperation operation, ReadOnlySpan<byte> request)
    {
        _operations.WriteAsking(connection, operation, request);
        if (connection.Unflushed == 1)
            _written.Add(connection);
        Count(connection, operation);
    }

    private void WriteTo(LoadConnection connection, in InFlightOperation operation, ReadOnlySpan<byte> request)
    {
        _operations.Write(connection, operation, request);
        Count(connection, operation);
    }

    private void Count(LoadConnection connection, in InFlightOperation operation)
    {
        if (connection.Server is not { } node || !_operations.IsMeasured(operation))
            return;
        if (_operations.MixedOf(operation).Command.OnlyReads)
            node.Reads++;
        else
            node.Writes++;
    }
}
