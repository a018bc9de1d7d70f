using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Replication.Servers;

/// <summary>Asks about single keys, on its own connection to wherever their place is by then. One thread.</summary>
internal sealed class KeyQuestions(IServerPlace place, TimeSpan limit, IStopToken stop) : IDisposable
{
    private static readonly TimeSpan BetweenTries = TimeSpan.FromMilliseconds(50);

    private readonly SideConnection _connection = new(target => target.OpenControl());

    public RespValue Request(params string[] words)
    {
        var began = MonotonicClock.NowNs();
        while (true)
        {
            try
            {
                var reply = _connection.To(place.Require()).Request(RespLimits.List, words);
                if (!reply.IsError || new RedisServerException(reply.Text).Code != "MOVED")
                    return reply;
                throw new RedisConnectionLostException(reply.Text);
            }
            catch (RedisException loss)
            {
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

    public void Dispose() => _connection.Dispose();
}

/// <summary>A connection beside the measured ones, to one server at a time. One thread.</summary>
internal sealed class SideConnection(Func<ResolvedTarget, RedisConnection> open) : IDisposable
{
    private RedisConnection? _connection;

    public ResolvedTarget? Target { get; private set; }

    // Opened anew where it is another server, or after a loss.
    public RedisConnection To(ResolvedTarget target)
    {
        if (!ReferenceEquals(target, Target) || _connection is { IsFaulted: true })
            Dispose();
        Target = target;
        return _connection ??= open(target);
    }

    public void Dispose()
    {
        _connection?.Dispose();
        _connection = null;
    }
}

/// <summary>Asks a place for its state; after a loss whenever it is asked again. One thread.</summary>
internal sealed class WatchConnection(IServerPlace place) : IDisposable
{
    // Who waits longer for a server that stopped keeps the run from ending.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(2);

    private readonly SideConnection _connection = new(Open);

    public ResolvedTarget? Target => _connection.Target;

    public T? TryUse<T>(Func<RedisConnection, T> use)
    {
        if (place.Target is not { } target)
            return default;
        try
        {
            return use(_connection.To(target));
        }
        catch (RedisException)
        {
            // Those who measure report it.
            return default;
        }
    }

    public void Dispose() => _connection.Dispose();

    private static RedisConnection Open(ResolvedTarget target) => RedisConnection.Open(
        target.Endpoint,
        target.Connection with
        {
            ClientName = "redislatency-watch",
            ConnectTimeout = Shorter(target.Connection.ConnectTimeout),
            CommandTimeout = Shorter(target.Connection.CommandTimeout),
        });

    private static TimeSpan Shorter(TimeSpan time) => time < Patience ? time : Patience;
}
