using System.Globalization;
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
        _sentinels = [.. endpoint.Servers.Select(server => server with
        {
            Database = 0,
        })];
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
        var reply = Ask(connection, "GET-MASTER-ADDR-BY-NAME");
        if (reply.IsNull)
            return null;
        return reply.Items.Count == 2
            ? Address(reply.Items[0].Text, reply.Items[1].Text)
            : throw new RedisProtocolException($"{sentinel.Address}: the primary's address is {reply}");
    }

    /// <summary>The replicas that the Sentinel holds to be up; null where it does not know the service.</summary>
    public IReadOnlyList<HostAndPort>? Replicas(RedisEndpoint sentinel)
    {
        using var connection = Open(sentinel);
        var reply = connection.Request(RespLimits.List, "SENTINEL", "REPLICAS", _service);
        // Before Redis 5.0 they had another name.
        if (reply.IsError && !IsUnknownService(reply))
            reply = connection.Request(RespLimits.List, "SENTINEL", "SLAVES", _service);
        if (reply.IsError)
            return IsUnknownService(reply) ? null : throw Refusal(connection, reply);
        return
        [
            .. reply.Items.Where(IsUp).Select(
                replica => Address(Text(replica, "ip"), Text(replica, "port"))),
        ];
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

    private RespValue Ask(RedisConnection connection, string what)
    {
        var reply = connection.Request("SENTINEL", what, _service);
        return reply.IsError ? throw Refusal(connection, reply) : reply;
    }

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

    // "No such master with that name", in newer Valkey "No such primary …".
    private static bool IsUnknownService(RespValue reply) =>
        reply.Text.StartsWith("ERR No such", StringComparison.OrdinalIgnoreCase);

    private static bool IsUp(RespValue replica) =>
        !Text(replica, "flags").Split(',').Any(flag => flag is "s_down" or "o_down" or "disconnected")
        && replica.Find("master-link-status") is not { Text: "err" };

    private static string Text(RespValue replica, string field) => replica.Find(field)?.Text
        ?? throw new RedisProtocolException($"a replica without '{field}': {replica}");

    private static HostAndPort Address(string host, string port) =>
        host.Length > 0 && int.TryParse(port, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
        && number is >= 1 and <= ushort.MaxValue
            ? new HostAndPort(host, number)
            : throw new RedisProtocolException($"a Sentinel names the address '{host}' '{port}'");

    private static TimeSpan Least(TimeSpan limit) => limit < MostPerSentinel ? limit : MostPerSentinel;
}
