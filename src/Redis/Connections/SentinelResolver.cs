using System.Globalization;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Connections;

/// <summary>
/// Finds the servers of a service that Sentinels watch, and believes no Sentinel before the server itself has said that
/// it is what it is said to be. The login of the endpoint is the servers'; Sentinels are given their own, or the
/// servers' where they ask for one and have none of their own. Source:
/// https://redis.io/docs/latest/develop/reference/sentinel-clients. Used by one thread at a time.
/// </summary>
internal sealed class SentinelResolver
{
    /// <summary>
    /// One that is gone without a word, or waits for its disk, must not keep the others from being asked.
    /// </summary>
    public static readonly TimeSpan MostPerServer = TimeSpan.FromSeconds(2);

    private readonly RedisEndpoint _endpoint;
    private readonly RedisConnectionOptions _options;
    private readonly RedisConnectionOptions _sentinelOptions;
    private volatile bool _usesServersLogin;
    private volatile RedisEndpoint[] _sentinels;

    // Whether a Sentinel is given all the time that the options allow, for want of another.
    private bool _isPatient;

    /// <param name="endpoint"><c>redis+sentinel://host:port,host:port/service</c>.</param>
    /// <param name="options">
    /// How to connect; no more than two seconds are spent on a Sentinel while there is another to ask.
    /// </param>
    public SentinelResolver(RedisEndpoint endpoint, RedisConnectionOptions? options = null)
    {
        if (endpoint.Topology != EndpointTopology.Sentinel || endpoint.Service is not { } service)
            throw new ArgumentException($"{endpoint} names no service of Sentinels.", nameof(endpoint));
        _endpoint = endpoint;
        _options = options ?? new RedisConnectionOptions();
        Service = service;
        _sentinels = [.. endpoint.Servers.Select(server => server with { Database = 0 })];
        _sentinelOptions = _options with { ClientName = "redislatency-sentinel", BusyPoll = false };
    }

    public string Service { get; }

    public RedisEndpoint ResolvePrimary()
    {
        using var connection = OpenPrimary();
        return connection.Endpoint;
    }

    /// <summary>
    /// Connects to the first server that a Sentinel names and that says itself that it is the primary. Where none does,
    /// the failure is transient: so it is while a failover goes on.
    /// </summary>
    public RedisConnection OpenPrimary()
    {
        _isPatient = _sentinels.Length == 1;
        var outcome = new SearchOutcome(_endpoint);
        var connection = Search(outcome);
        if (connection is null && !_isPatient && outcome.WasTooHasty)
        {
            _isPatient = true;
            outcome = new SearchOutcome(_endpoint);
            connection = Search(outcome);
        }

        return connection ?? throw outcome.Failure();
    }

    public IReadOnlyList<RedisEndpoint> Sentinels => _sentinels;

    /// <summary>
    /// Where a Sentinel says that the primary is, which nobody has verified; null where it does not know the service.
    /// </summary>
    public HostAndPort? Ask(RedisEndpoint sentinel)
    {
        using var connection = OpenSentinel(sentinel);
        return Ask(connection);
    }

    public NamedPrimary? AskWithEpoch(RedisEndpoint sentinel)
    {
        using var connection = OpenSentinel(sentinel);
        // Before the address: one that changes in between must not count as newer than it is.
        var details = connection.Request("SENTINEL", "MASTER", Service);
        long? epoch = !details.IsError && long.TryParse(
            details.Find("config-epoch")?.Text, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            ? number
            : null;
        if (Ask(connection) is not { } address)
            return null;
        // Of a replica that has been promoted, it names that, and shows the details of the old primary a while longer.
        var isFailingOver = !details.IsError
            && details.Find("flags")?.Text.Contains("failover_in_progress", StringComparison.Ordinal) is true
            && $"{details.Find("ip")?.Text} {details.Find("port")?.Text}" == $"{address.Host} {address.Port}";
        return new NamedPrimary(address, epoch, isFailingOver);
    }

    // Of Sentinels that disagree those with the newest configuration. None where nobody answers.
    public (IReadOnlyList<HostAndPort> Named, bool IsFailingOver) AskAll()
    {
        _isPatient = _sentinels.Length == 1;
        var told = AskEach();
        if (told.Count == 0 && !_isPatient)
        {
            _isPatient = true;
            told = AskEach();
        }

        var newest = told.Max(one => one.Epoch);
        return (
            [.. told.Where(one => one.Epoch == newest).Select(one => one.Address).Distinct()],
            told.Exists(one => one.IsFailingOver));
    }

    private List<NamedPrimary> AskEach()
    {
        var told = new List<NamedPrimary>();
        foreach (var sentinel in _sentinels)
        {
            try
            {
                if (AskWithEpoch(sentinel) is { } named)
                    told.Add(named);
            }
            catch (RedisException)
            {
                // There may be others.
            }
        }

        return told;
    }

    private HostAndPort? Ask(RedisConnection connection)
    {
        var reply = connection.Request("SENTINEL", "GET-MASTER-ADDR-BY-NAME", Service);
        if (reply.IsError)
        {
            throw ConnectFault.Refused(
                connection.Endpoint,
                reply,
                "the user may not ask this Sentinel: it needs +sentinel",
                "this is no Sentinel; is the port right (usually 26379)?");
        }

        if (reply.IsNull)
            return null;
        return reply.Items.Count == 2
            ? HostAndPort.NamedBy("a Sentinel", reply.Items[0].Text, reply.Items[1].Text)
            : throw new RedisProtocolException($"{connection.Endpoint.Address}: the primary's address is {reply}");
    }

    public RedisConnection OpenSentinel(RedisEndpoint sentinel)
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

    public RedisEndpoint Verify(HostAndPort address)
    {
        using var connection = RedisConnection.Open(_endpoint.At(address), _options);
        return ServerRole.WhyNotThePrimary(connection) is { } reason
            ? throw new RedisConnectException(ConnectFailure.NoFittingServer, $"{_endpoint}: {address} {reason}")
            : connection.Endpoint;
    }

    private RedisConnection? Search(SearchOutcome outcome)
    {
        foreach (var sentinel in _sentinels)
        {
            HostAndPort? named;
            try
            {
                named = Ask(sentinel);
            }
            catch (RedisException problem)
            {
                outcome.SentinelFailed(problem);
                continue;
            }

            if (named is not { } address)
            {
                outcome.ServiceUnknown(sentinel);
            }
            else if (TryOpen(sentinel, address, outcome) is { } connection)
            {
                Prefer(sentinel);
                return connection;
            }
        }

        return null;
    }

    private RedisConnection? TryOpen(RedisEndpoint sentinel, HostAndPort address, SearchOutcome outcome)
    {
        RedisConnection? connection = null;
        try
        {
            connection = RedisConnection.Open(_endpoint.At(address), _options);
            if (ServerRole.WhyNotThePrimary(connection) is not { } reason)
                return connection;
            outcome.ServerUnfit($"{sentinel.Address} names {address}, which {reason}");
        }
        catch (RedisException problem) when (problem.IsTransient)
        {
            outcome.ServerUnfit($"{sentinel.Address} names {address}: {problem.Message}", problem);
        }
        catch
        {
            connection?.Dispose();
            throw;
        }

        connection?.Dispose();
        return null;
    }

    private void Prefer(RedisEndpoint sentinel)
    {
        if (!ReferenceEquals(_sentinels[0], sentinel))
            _sentinels = [sentinel, .. _sentinels.Where(other => !ReferenceEquals(other, sentinel))];
    }

    private RedisConnection OpenLimited(RedisEndpoint sentinel) =>
        RedisConnection.OpenWithin(_isPatient ? TimeSpan.MaxValue : MostPerServer, sentinel, _sentinelOptions);
}

// Whom a Sentinel names; of which epoch its configuration is, null where it may not be asked; and whether it is about
// to promote a replica in the place of that.
internal sealed record NamedPrimary(HostAndPort Address, long? Epoch, bool IsFailingOver);

internal sealed class SearchOutcome(RedisEndpoint endpoint)
{
    private readonly List<RedisException> _sentinels = [];
    private readonly List<string> _unaware = [];
    private readonly List<string> _unfit = [];
    private RedisException? _serverProblem;

    /// <summary>Whether more time may help: no Sentinel has answered, and some were out of time.</summary>
    public bool WasTooHasty => _unaware.Count + _unfit.Count == 0 && _sentinels.Exists(problem =>
        problem is RedisTimeoutException or RedisConnectException { Reason: ConnectFailure.TimedOut });

    public void SentinelFailed(RedisException problem) => _sentinels.Add(problem);

    public void ServiceUnknown(RedisEndpoint sentinel) => _unaware.Add(sentinel.Address);

    public void ServerUnfit(string reason, RedisException? problem = null)
    {
        _unfit.Add(reason);
        _serverProblem ??= problem;
    }

    public RedisConnectException Failure()
    {
        var failed = _sentinels.Count == 0
            ? string.Empty
            : $"; {string.Join("; ", _sentinels.Select(problem => problem.Message))}";
        if (_unfit.Count > 0)
        {
            return new RedisConnectException(
                ConnectFailure.NoFittingServer,
                $"{endpoint}: no primary is found, perhaps a failover goes on: {string.Join("; ", _unfit)}{failed}",
                _serverProblem);
        }

        if (_unaware.Count > 0)
        {
            return new RedisConnectException(
                ConnectFailure.ServiceUnknown,
                $"{endpoint}: no Sentinel knows the service '{endpoint.Service}' (asked: {string.Join(", ", _unaware)})"
                + $"; SENTINEL MASTERS lists those they know{failed}");
        }

        var reason = _sentinels.Find(problem => !problem.IsTransient) ?? _sentinels[0];
        return new RedisConnectException(
            (reason as RedisConnectException)?.Reason ?? (reason.IsTransient
                ? ConnectFailure.Unreachable
                : ConnectFailure.RefusedByServer),
            $"{endpoint}: no Sentinel answers{failed}",
            reason);
    }
}

internal static class ServerRole
{
    /// <summary>Asks a server: by ROLE, else by what HELLO said, else by INFO. Null where it is the primary.</summary>
    public static string? WhyNotThePrimary(RedisConnection connection) => Ask(connection) switch
    {
        "master" => null,
        "slave" => "is a replica",
        var other => $"is a {other}",
    };

    private static string Ask(RedisConnection connection)
    {
        var role = connection.Request("ROLE");
        if (!role.IsError && role.Items.Count > 0)
            return role.Items[0].Text;
        if (connection.Hello?.Find("role") is { } told)
            return told.Text;
        var information = connection.Request(RespLimits.List, "INFO", "replication");
        if (!information.IsError && ServerFacts.FieldsOf(information.Text).TryGetValue("role", out var word))
            return word;
        throw new RedisConnectException(
            ConnectFailure.NotPermitted,
            $"{connection.Endpoint}: the server does not say whether it is the primary; to allow it: "
            + AclLine.For(connection.Endpoint.User, "+role"),
            new RedisServerException(role.Text));
    }
}
