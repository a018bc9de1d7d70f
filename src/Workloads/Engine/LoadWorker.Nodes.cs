using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Topology;
using RedisLatency.Workloads.Commands;

namespace RedisLatency.Workloads.Engine;

/// <content>Servers that come into a map and leave it.</content>
internal sealed partial class LoadWorker
{
    /// <summary>How long a server that is in no map any more may take to answer what it was sent.</summary>
    private const long RetirementNs = 2_000_000_000;

    /// <summary>How often replicas are looked for that no map has yet, and how often while none is up.</summary>
    private const long ReplicaLookNs = 10_000_000_000;
    private const long AloneLookNs = 1_000_000_000;

    private SlotMap? _taken;
    private int _retired;
    private long _lastReplicaLook;

    /// <summary>Takes over a newer map: new servers get connections, those that left it lose theirs.</summary>
    private void TakeMap()
    {
        if (_source is null || (_taken is not null && ReferenceEquals(_taken, _source.Current)))
            return;
        _taken = _source.Current;
        _routes.Take(_taken);
        if (_taken.IsComplete)
            _unservedSince = 0;
        foreach (var shard in _taken.Shards)
        {
            Use(shard.Primary);
            if (_plan.ReadFrom == ReadPreference.Primary)
                continue;
            foreach (var replica in shard.Replicas)
                Use(replica);
        }

        foreach (var node in _nodes)
        {
            if (node is { IsMapped: true, RetiredAt: 0 } && !IsInUse(_taken, node.Node))
                Retire(node);
        }
    }

    private bool IsInUse(SlotMap map, ClusterNode node) => map.ShardWith(node) is { } shard
        && (_plan.ReadFrom != ReadPreference.Primary || shard.Primary == node);

    private void Use(ClusterNode node) => ConnectionsTo(node).IsMapped = true;

    private NodeConnections ConnectionsTo(ClusterNode node)
    {
        // Others may be reading the old ones meanwhile.
        if (_nodes.Length <= node.Number)
            Array.Resize(ref _nodes, node.Number + 1);
        if (_nodes[node.Number] is { } known)
        {
            if (known.RetiredAt != 0)
                Reinstate(known);
            return known;
        }

        return _nodes[node.Number] = new NodeConnections(node, _now, MakeConnections);
    }

    private LoadConnection[] MakeConnections(NodeConnections server)
    {
        var first = _connections.Length;
        var all = _connections;
        Array.Resize(ref all, first + _plan.ConnectionsPerThread);
        for (var token = first; token < all.Length; token++)
            all[token] = NewConnection(token, server.Node.Endpoint, new RequestBuffer(1024), server);

        _connections = all;
        foreach (var connection in all.AsSpan(first))
            Reopen(connection);
        return all[first..];
    }

    /// <summary>Asks for a connection, unless it was asked for already.</summary>
    private void Reopen(LoadConnection connection)
    {
        // Before the start the engine opens them all itself.
        if (_start == 0 || connection.IsAwaited)
            return;
        connection.IsAwaited = true;
        _opener.Request(connection.Token, connection.Endpoint);
    }

    private void Retire(NodeConnections server)
    {
        server.RetiredAt = _now;
        _retired++;
    }

    private void Reinstate(NodeConnections server)
    {
        server.RetiredAt = 0;
        server.DownSince = _now;
        _retired--;
        foreach (var connection in server.Connections)
        {
            if (connection.Socket is null)
                Reopen(connection);
        }
    }

    /// <summary>
    /// Closes the connections of servers that left the map once they have answered: a primary that another one has
    /// replaced may be stopped and never answer.
    /// </summary>
    private void CloseRetired()
    {
        if (_retired == 0)
            return;
        foreach (var server in _nodes)
        {
            if (server is null or { RetiredAt: 0 })
                continue;
            var isOver = _now - server.RetiredAt > RetirementNs;
            foreach (var connection in server.Connections)
            {
                if (connection.Socket is null)
                    continue;
                if (connection.InFlight == 0)
                    CloseUnused(connection);
                else if (isOver)
                    Break(connection, $"{server.Node} was replaced and did not answer");
            }
        }
    }

    private void CloseUnused(LoadConnection connection)
    {
        Close(connection);
        connection.Clear();
        Disconnected(connection);
    }

    private void Disconnected(LoadConnection connection)
    {
        _connected--;
        var now = MonotonicClock.NowNs();
        if (_connected == 0)
            _aloneSince = now;
        if (connection.Server is { IsDown: true } server)
            server.DownSince = now;
    }

    /// <summary>A map that lacks a replica is found wrong by no reply: a newer one is asked for now and then.</summary>
    private void LookForReplicas(long interval)
    {
        if (_plan.ReadFrom == ReadPreference.Primary || _now - _lastReplicaLook < interval)
            return;
        _lastReplicaLook = _now;
        _source!.Doubt(_routes.Map);
    }

    private void LookWhetherLost(int slot, int number)
    {
        if (_unservedSince == 0 && number < 0)
            _unservedSince = _now;
        var since = number < 0 ? _unservedSince : _nodes[number]!.DownSince;
        if (_isDraining || _now - since <= (long)_plan.ReconnectLimit.TotalNanoseconds)
            return;
        var what = number < 0 ? $"no server has slot {slot}" : $"no connection to {_nodes[number]!.Node}";
        var why = (number < 0 ? _source!.LastError : _opener.LastProblem) is { } problem ? $": {problem.Message}" : null;
        _lost ??= new RedisConnectionLostException($"{what} for {_plan.ReconnectLimit.TotalSeconds:0.###} s{why}");
    }
}
