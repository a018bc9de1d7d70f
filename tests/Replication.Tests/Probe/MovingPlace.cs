using RedisLatency.Fixtures;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>An end that is at one server until somebody finds out, or says, that it is at another.</summary>
internal sealed class MovingPlace(RedisServerProcess first, RedisServerProcess second) : IServerLocator
{
    private readonly ResolvedTarget _second = TargetOf(second);
    private readonly TaskCompletionSource _moved = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile ResolvedTarget _target = TargetOf(first);

    public string Role => "destination";

    public string Label => "destination";

    public bool IsReplica => false;

    public string LastName => Target.Name;

    public ResolvedTarget Target => _target;

    public ResolvedTarget Require() => _target;

    public void Doubt()
    {
        // What the reader does next is asked of it by Renew.
    }

    public void Renew()
    {
        _target = _second;
        _moved.TrySetResult();
    }

    /// <summary>Waits until it is at the other server.</summary>
    public Task WaitUntilMoved() => _moved.Task.WaitAsync(TimeSpan.FromSeconds(10), TestContext.Current.CancellationToken);

    private static ResolvedTarget TargetOf(RedisServerProcess server) =>
        new(RedisEndpoint.Parse(server.Uri), Patience.Connection, DriverKind.Raw);
}
