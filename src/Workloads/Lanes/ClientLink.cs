using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
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
    private readonly JitteredBackoff _backoff = new(limit: TimeSpan.FromSeconds(1));
    private volatile ApplicationClient _client;
    private ClusterNode? _server;
    private Task<ApplicationClient>? _opening;
    private ClusterNode? _successor;
    private long _nextAttempt;
    private long _lostBefore;
    private long _movedBefore;

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

    /// <exception cref="RedisException">It cannot be used.</exception>
    public static ClientLink Open(EnginePlan plan, IReadOnlyList<RedisEndpoint> endpoints) =>
        new(plan, null, ApplicationClient.Open(endpoints, plan.Connection), null);

    /// <exception cref="RedisException">It cannot be used.</exception>
    public static ClientLink Follow(EnginePlan plan, SlotMapSource source)
    {
        var primary = PrimaryOf(source);
        return new ClientLink(plan, source, ApplicationClient.Open([primary.Endpoint], plan.Connection), primary);
    }

    /// <summary>The server takes no operations, or no writes: Sentinels may know another.</summary>
    public void Doubt() => _source?.Doubt(_source.Current);

    /// <summary>Looks whether there is another primary; never waits. Of one thread, and under no lock.</summary>
    public void Look(long now)
    {
        if (_source is null)
            return;
        if (!_client.IsConnected)
            Doubt();
        if (_opening is { IsCompleted: true } opened)
            Take(opened, now);
        var primary = PrimaryOf(_source);
        if (_opening is not null || primary == _server || now < _nextAttempt)
            return;
        _successor = primary;
        _opening = Task.Factory.StartNew(
            () => ApplicationClient.Open([primary.Endpoint], _plan.Connection),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
    }

    public void Dispose()
    {
        _opening?.ContinueWith(
            static opened => opened.Result.Dispose(),
            CancellationToken.None,
            TaskContinuationOptions.OnlyOnRanToCompletion,
            TaskScheduler.Default);
        _client.Dispose();
    }

    private static ClusterNode PrimaryOf(SlotMapSource source) => source.Current.Shards[0].Primary;

    private void Take(Task<ApplicationClient> opened, long now)
    {
        _opening = null;
        if (opened.Exception?.InnerException is { } problem)
        {
            if (problem is not RedisException)
                throw problem;
            _nextAttempt = now + _backoff.Next().InNanoseconds;
            Doubt();
            return;
        }

        var old = _client;
        _lostBefore += old.ConnectionsLost;
        _movedBefore += old.Moved;
        _client = opened.Result;
        _server = _successor;
        _backoff.Reset();
        old.Dispose();
    }
}
