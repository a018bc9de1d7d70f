using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using Driver = StackExchange.Redis;

namespace RedisLatency.Redis.StackExchange;

/// <summary>
/// A client for what is not measured. It connects again by itself, behind Sentinels to the primary that they name then;
/// while it is away a request fails at once, and the caller asks again. May be used from any thread.
/// </summary>
public sealed class ControlClient : IDisposable
{
    private static readonly DateTime UnixEpoch = DateTime.UnixEpoch;
    // The client gives up a connection that is not made within that, too: a handshake of TLS takes a second on a busy
    // host.
    private static readonly TimeSpan ReconnectPause = TimeSpan.FromSeconds(2);

    private readonly Lock _gate = new();
    private readonly RedisEndpoint _endpoint;
    private readonly RedisConnectionOptions _options;
    private Driver.ConnectionMultiplexer _multiplexer;
    private bool _isDisposed;

    private ControlClient(RedisEndpoint endpoint, RedisConnectionOptions options)
    {
        (_endpoint, _options) = (endpoint, options);
        _multiplexer = Connect();
    }

    /// <summary>Where it is, as it can be given again, without a login.</summary>
    public string Name => _endpoint is { Topology: EndpointTopology.Standalone, UseTls: false, Database: 0 }
        ? _endpoint.Address
        : (_endpoint with { User = null, Password = null, SentinelUser = null, SentinelPassword = null }).ToString();

    /// <summary>Connects, and says in the user's terms what keeps it from that.</summary>
    /// <exception cref="RedisException">The server cannot be used.</exception>
    public static ControlClient Open(RedisEndpoint endpoint, RedisConnectionOptions options) =>
        new(endpoint, options with { ClientName = "redislatency-control" });

    /// <summary>Asks something of the database.</summary>
    /// <exception cref="RedisException">It is away, refuses, or does not answer in time.</exception>
    public T Ask<T>(Func<Driver.IDatabase, T> request)
    {
        try
        {
            return request(Current().GetDatabase());
        }
        catch (Exception problem) when (ClientConnection.Translate(problem, _endpoint) is { } translated)
        {
            throw translated;
        }
        catch (Driver.RedisException problem)
        {
            throw new RedisConnectionLostException($"{_endpoint.Address}: {problem.Message}", problem);
        }
    }

    /// <summary>The clock of the server that has a key: Unix time in nanoseconds, cut to microseconds.</summary>
    /// <exception cref="RedisException">As <see cref="Ask"/>.</exception>
    public long TimeNs(string key) => Ask(database =>
    {
        var server = database.IdentifyEndpoint(key)
            ?? throw new RedisConnectionLostException($"{_endpoint.Address}: not connected");
        var time = database.Multiplexer.GetServer(server).Time();
        return (time - UnixEpoch).Ticks * TimeSpan.NanosecondsPerTick;
    });

    /// <inheritdoc/>
    public void Dispose()
    {
        lock (_gate)
        {
            _isDisposed = true;
            _multiplexer.Close(allowCommandsToComplete: false);
        }
    }

    private Driver.ConnectionMultiplexer Current()
    {
        // Only Sentinels know what follows a primary that failed. One that is well when another takes its place goes on
        // as a replica, and the client connects to that again.
        if (_endpoint.Topology != EndpointTopology.Sentinel || HasPrimary(_multiplexer))
            return _multiplexer;
        lock (_gate)
        {
            if (_isDisposed || HasPrimary(_multiplexer))
                return _multiplexer;
            var next = Connect();
            _multiplexer.Close(allowCommandsToComplete: false);
            return _multiplexer = next;
        }
    }

    private static bool HasPrimary(Driver.ConnectionMultiplexer multiplexer) =>
        multiplexer.GetServers().Any(server => server is { IsConnected: true, IsReplica: false });

    private Driver.ConnectionMultiplexer Connect()
    {
        var reached = ClientConnection.Rehearse(_endpoint, _options, []);
        IReadOnlyList<RedisEndpoint> servers =
            _endpoint.Topology == EndpointTopology.Sentinel ? [reached] : _endpoint.Servers;
        return ClientConnection.OpenForControl(servers, _options, ReconnectPause);
    }
}
