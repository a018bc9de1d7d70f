using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Nodes;

/// <summary>Asks about single keys, on its own connection to wherever their place is by then. One thread.</summary>
internal sealed class KeyQuestions(IServerPlace place, TimeSpan limit, IStopToken stop) : IDisposable
{
    private static readonly TimeSpan BetweenTries = TimeSpan.FromMilliseconds(50);

    private RedisConnection? _connection;
    private ResolvedTarget? _target;

    public ResolvedTarget? Target => _target;

    public RespValue Request(params string[] words)
    {
        var began = MonotonicClock.NowNs();
        while (true)
        {
            try
            {
                var reply = Connect().Request(RespLimits.List, words);
                if (!reply.IsError || new RedisServerException(reply.Text).Code != "MOVED")
                    return reply;
                throw new RedisConnectionLostException(reply.Text);
            }
            catch (RedisException loss)
            {
                Dispose();
                place.Doubt();
                var elapsed = MonotonicClock.NowNs() - began;
                if (!loss.IsTransient || elapsed >= limit.InNanoseconds
                    || stop.WaitUntilRequested(BetweenTries))
                {
                    throw;
                }

                place.Renew();
            }
        }
    }

    public void Dispose()
    {
        _connection?.Dispose();
        _connection = null;
    }

    private RedisConnection Connect()
    {
        var target = place.Require();
        if (!ReferenceEquals(target, _target))
            Dispose();
        _target = target;
        return _connection ??= place.OpenControl();
    }
}

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
