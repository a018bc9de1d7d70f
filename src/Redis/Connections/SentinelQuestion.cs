using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Connections;

/// <summary>Asks a Sentinel about a service, on a connection that lasts for the question.</summary>
internal sealed class SentinelQuestion
{
    // A Sentinel that is gone without a word, or waits for its disk, must not keep the others from being asked.
    private static readonly TimeSpan MostPerSentinel = TimeSpan.FromSeconds(2);

    private readonly RedisEndpoint _endpoint;
    private readonly string _service;
    private readonly RedisConnectionOptions _options;
    private volatile bool _usesServersLogin;
    private volatile RedisEndpoint[] _sentinels;

    public SentinelQuestion(RedisEndpoint endpoint, string service, RedisConnectionOptions options)
    {
        (_endpoint, _service) = (endpoint, service);
        _sentinels = [.. endpoint.Servers.Select(server => server with { Database = 0 })];
        _options = options with { ClientName = "redislatency-sentinel", BusyPoll = false };
    }

    /// <summary>Whether a Sentinel is given all the time that the options allow, for want of another.</summary>
    public bool IsPatient { get; set; }

    /// <summary>The Sentinels in the order in which they are asked.</summary>
    public IReadOnlyList<RedisEndpoint> Sentinels => _sentinels;

    public void Prefer(RedisEndpoint sentinel)
    {
        if (!ReferenceEquals(_sentinels[0], sentinel))
            _sentinels = [sentinel, .. _sentinels.Where(other => !ReferenceEquals(other, sentinel))];
    }

    /// <summary>Where the primary is; null where the Sentinel does not know the service.</summary>
    public HostAndPort? Primary(RedisEndpoint sentinel)
    {
        using var connection = Open(sentinel);
        var reply = connection.Request("SENTINEL", "GET-MASTER-ADDR-BY-NAME", _service);
        if (reply.IsError)
            throw Refusal(connection, reply);
        if (reply.IsNull)
            return null;
        return reply.Items.Count == 2
            ? HostAndPort.NamedBy("a Sentinel", reply.Items[0].Text, reply.Items[1].Text)
            : throw new RedisProtocolException($"{sentinel.Address}: the primary's address is {reply}");
    }

    public RedisConnection Open(RedisEndpoint sentinel)
    {
        if (_endpoint.SentinelPassword is not null)
        {
            var own = sentinel with { User = _endpoint.SentinelUser, Password = _endpoint.SentinelPassword };
            return OpenLimited(own);
        }

        if (_usesServersLogin)
            return OpenLimited(sentinel);
        try
        {
            return OpenLimited(sentinel with { User = null, Password = null });
        }
        catch (RedisConnectException problem) when (
            problem.Reason == ConnectFailure.AuthenticationFailed && _endpoint.Password is not null)
        {
            var connection = OpenLimited(sentinel);
            _usesServersLogin = true;
            return connection;
        }
    }

    private RedisConnection OpenLimited(RedisEndpoint sentinel) => IsPatient
        ? RedisConnection.Open(sentinel, _options)
        : RedisConnection.Open(
            sentinel with { ConnectTimeout = null, CommandTimeout = null },
            _options with
            {
                ConnectTimeout = Least(sentinel.ConnectTimeout ?? _options.ConnectTimeout),
                CommandTimeout = Least(sentinel.CommandTimeout ?? _options.CommandTimeout),
            });

    private static RedisException Refusal(RedisConnection connection, RespValue reply)
    {
        var error = new RedisServerException(reply.Text);
        if (error.IsTransient)
            return error;
        var hint = error.Code == "NOPERM"
            ? "the user may not ask this Sentinel: it needs +sentinel"
            : "this is no Sentinel; is the port right (usually 26379)?";
        return new RedisConnectException(
            error.Code == "NOPERM" ? ConnectFailure.NotPermitted : ConnectFailure.RefusedByServer,
            $"{connection.Endpoint}: {hint} (the server says: {error.Message})",
            error);
    }

    private static TimeSpan Least(TimeSpan limit) => limit < MostPerSentinel ? limit : MostPerSentinel;
}
