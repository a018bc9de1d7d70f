using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Replication.Servers;

/// <summary>Asks a server for its state; after a loss it is reopened when it is asked again. One thread.</summary>
internal sealed class WatchConnection(IServerLocator locator, SessionEvents events) : IDisposable
{
    // Who waits longer for a server that stopped keeps the run from ending.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    private readonly SideConnection _connection = new(Open);

    public ResolvedTarget? Target => _connection.Target;

    public T? TryUse<T>(Func<RedisConnection, T> use)
    {
        if (locator.Target is not { } target)
            return default;
        try
        {
            return use(_connection.To(target));
        }
        catch (RedisProtocolException problem)
        {
            events.Note(ReconnectingPipeline.AnsweredWrongly, $"{locator.Label}: {problem.Message}");
            return default;
        }
        catch (RedisException)
        {
            // Those who measure report it.
            return default;
        }
    }

    public void Dispose() => _connection.Dispose();

    private static RedisConnection Open(ResolvedTarget target) => RedisConnection.OpenWithin(
        Patience, target.Endpoint, target.Connection with { ClientName = "redislatency-watch" });
}
