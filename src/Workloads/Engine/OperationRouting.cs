using RedisLatency.Workloads.Commands;

namespace RedisLatency.Workloads.Engine;

/// <summary>Which connection an operation goes over. One call serves all replies of a read.</summary>
internal abstract class OperationRouting : IDueSender
{
    /// <summary>Operations wait for servers that are away, and have as long at the end as for replies.</summary>
    public abstract bool AwaitsServers { get; }

    /// <summary>Closed loop: sends what was written before, and as many new operations as there is room for.</summary>
    public abstract void Refill(LoadConnection connection);

    /// <summary>Closed loop, now and then: sends where no reply will come to make room.</summary>
    public virtual void Refill()
    {
    }

    /// <summary>Open loop: sends what was written before; the connection may have got room.</summary>
    public abstract void Offer(LoadConnection connection);

    /// <summary>Open loop: sends the next operation, which is due, if a connection has room.</summary>
    public abstract bool TryBegin(long due);

    /// <summary>Sends an operation that waited, as it was drawn where its request is given.</summary>
    public abstract bool TrySendAgain(in InFlightOperation operation, ReadOnlySpan<byte> request);

    /// <summary>Whether MOVED and ASK are followed.</summary>
    public virtual bool Follows => false;

    /// <summary>Sends an operation to the server that its error names, if it names one.</summary>
    public virtual bool TryFollow(
        LoadConnection connection, in InFlightOperation operation, ReadOnlySpan<byte> error) => false;

    /// <summary>A server that took what was written takes it no more.</summary>
    public virtual void Doubt()
    {
    }

    public virtual void Tick()
    {
    }
}

/// <summary>Routing without regard to keys: every connection will do, and operations go where there is room.</summary>
internal sealed class DirectRouting : OperationRouting
{
    private readonly WorkerTime _time;
    private readonly WorkerOperations _operations;
    private readonly WorkerConnections _connections;
    private readonly Queue<LoadConnection> _withRoom;
    private readonly bool _sendsInBatches;
    private uint _nextForRetry;

    public DirectRouting(
        EnginePlan plan,
        WorkerShare place,
        WorkerTime time,
        WorkerOperations operations,
        WorkerConnections connections)
    {
        _time = time;
        _operations = operations;
        _connections = connections;
        _sendsInBatches = plan.SendsInBatches;
        _withRoom = new Queue<LoadConnection>(place.Connections);
        // They are written one after the other: one buffer, which so stays in the cache, is enough for all that keep
        // nothing in it.
        connections.Add(
            Enumerable.Range(place.Worker * plan.ConnectionsPerThread, place.Connections)
                .Select(number => plan.Endpoints[number % plan.Endpoints.Count]),
            plan.KeepsRequests ? null : new RequestBuffer());
        foreach (var connection in connections.All)
            connection.Left = plan.OperationsEach ?? long.MaxValue;
    }

    public override bool AwaitsServers => false;

    public override void Refill(LoadConnection connection)
    {
        if (_sendsInBatches && connection.InFlight > 0)
        {
            _connections.Flush(connection);
            return;
        }

        connection.BatchAnsweredAt = 0;
        while (connection.MayBegin && _operations.MayBegin)
            _operations.Begin(connection, _time.Now);
        _connections.Flush(connection);
    }

    public override void Offer(LoadConnection connection)
    {
        _connections.Flush(connection);
        if (connection.IsQueued || !connection.MayBegin)
            return;
        connection.IsQueued = true;
        _withRoom.Enqueue(connection);
    }

    public override bool TryBegin(long due)
    {
        while (_withRoom.TryDequeue(out var connection))
        {
            connection.IsQueued = false;
            if (!connection.MayBegin)
                continue;
            _operations.Begin(connection, due);
            Offer(connection);
            return true;
        }

        return false;
    }

    public override bool TrySendAgain(in InFlightOperation operation, ReadOnlySpan<byte> request)
    {
        var all = _connections.All;
        for (var tried = 0; tried < all.Length; tried++)
        {
            var connection = all[_nextForRetry++ % (uint)all.Length];
            if (!connection.HasRoom)
                continue;
            _operations.Write(connection, operation, request);
            _connections.Flush(connection);
            return true;
        }

        return false;
    }
}
