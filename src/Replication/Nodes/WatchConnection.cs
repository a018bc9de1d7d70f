using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Replication.Nodes;

/// <summary>A connection beside the measured ones, opened anew after a loss whenever it is used. One thread.</summary>
internal sealed class WatchConnection(IServerPlace place) : IDisposable
{
    // Who waits longer for a server that stopped keeps the run from ending.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    private RedisConnection? _connection;
    private ResolvedTarget? _target;

    public ResolvedTarget? Target => _target;

    public T? TryUse<T>(Func<RedisConnection, T> use)
    {
        if (place.Target is not { } target)
            return default;
        if (!ReferenceEquals(target, _target))
            Dispose();
        _target = target;
        try
        {
            _connection ??= RedisConnection.Open(target.Endpoint, target.Connection with
            {
                ClientName = "redislatency-watch",
                ConnectTimeout = Shorter(target.Connection.ConnectTimeout),
                CommandTimeout = Shorter(target.Connection.CommandTimeout),
            });
            return use(_connection);
        }
        catch (RedisException)
        {
            // Those who measure tell of it.
            Dispose();
            return default;
        }
    }

    public void Dispose()
    {
        _connection?.Dispose();
        _connection = null;
    }

    private static TimeSpan Shorter(TimeSpan time) => time < Patience ? time : Patience;
}
