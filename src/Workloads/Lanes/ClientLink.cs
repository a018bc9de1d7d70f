using System.Runtime.ExceptionServices;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.StackExchange;
using RedisLatency.Redis.Topology;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Lanes;

/// <summary>Leads to a server; behind Sentinels to the primary: the client itself would keep to the old one.</summary>
internal sealed class ClientLink : IDisposable
{
    private readonly EnginePlan _plan;
    private readonly SlotMapSource? _source;
    private volatile ApplicationClient _client;
    private ClusterNode? _server;
    private Reconnector<Successor>? _opening;
    private long _lostBefore;
    private long _movedBefore;
    private long _contradictionsBefore;
    private bool _isOutOfTurn;

    private ClientLink(EnginePlan plan, SlotMapSource? source, ApplicationClient client, ClusterNode? server)
    {
        _plan = plan;
        _source = source;
        _client = client;
        _server = server;
    }

    public ApplicationClient Client => _client;

    public long ConnectionsLost => _lostBefore + _client.ConnectionsLost;

    /// <summary>How many of them have come back, or have a successor's in their place.</summary>
    public long Reconnected => _lostBefore + _client.Reconnected;

    public long Moved => _movedBefore + _client.Moved;

    public long Contradictions => _contradictionsBefore + Math.Max(_client.Contradictions, _isOutOfTurn ? 1 : 0);

    public static ClientLink Open(EnginePlan plan, IReadOnlyList<RedisEndpoint> endpoints) =>
        new(plan, null, ApplicationClient.Open(endpoints, plan.Connection), null);

    public static ClientLink Follow(EnginePlan plan, SlotMapSource source)
    {
        var primary = PrimaryOf(source);
        return new ClientLink(plan, source, ApplicationClient.Open([primary.Endpoint], plan.Connection), primary);
    }

    /// <summary>The server takes no operations, or no writes: Sentinels may know another.</summary>
    public void Doubt() => _source?.Doubt(_source.Current);

    /// <summary>Checks whether there is another primary; never waits. Of one thread, and under no lock.</summary>
    public void CheckPrimary()
    {
        if (_source is null)
            return;
        // A successor that cannot be reached may have one itself by now.
        if (!_client.IsConnected || _opening is not null)
            Doubt();
        if (PrimaryOf(_source) == _server)
            StopOpening();
        else
            _opening ??= new Reconnector<Successor>(OpenSuccessor, mayPass: static _ => true);
        if (_opening?.Failure is { } failure)
            ExceptionDispatchInfo.Throw(failure);
        if (_opening?.TryTake(out var opened) == true)
            Take(opened);
    }

    /// <summary>All that was asked is answered: finds what is left over. Waits for a reply.</summary>
    public void CheckTurn() => _isOutOfTurn = !_client.AnswersInTurn();

    public void Dispose()
    {
        StopOpening();
        _client.Dispose();
    }

    private static ClusterNode PrimaryOf(SlotMapSource source) => source.Current.Shards[0].Primary;

    private Successor OpenSuccessor()
    {
        var primary = PrimaryOf(_source!);
        return new Successor(primary, ApplicationClient.Open([primary.Endpoint], _plan.Connection));
    }

    private void Take(Successor opened)
    {
        var old = _client;
        // The client says that a connection has ended some time after it is known to be gone.
        _lostBefore += Math.Max(old.ConnectionsLost, old.Reconnected + (old.IsConnected ? 0 : 1));
        _movedBefore += old.Moved;
        _contradictionsBefore += old.Contradictions;
        (_server, _client) = opened;
        StopOpening();
        old.Dispose();
    }

    private void StopOpening()
    {
        _opening?.Dispose();
        _opening = null;
    }

    private sealed record Successor(ClusterNode Server, ApplicationClient Client) : IDisposable
    {
        public void Dispose() => Client.Dispose();
    }
}
