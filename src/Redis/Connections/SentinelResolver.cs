using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Connections;

/// <summary>
/// Finds the servers of a service that Sentinels watch, and believes no Sentinel before the server itself has said that
/// it is what it is said to be. The login of the endpoint is the servers'; Sentinels are given their own, or the
/// servers' where they ask for one and have none of their own. Source:
/// https://redis.io/docs/latest/develop/reference/sentinel-clients. Used by one thread at a time.
/// </summary>
internal sealed class SentinelResolver
{
    private readonly RedisEndpoint _endpoint;
    private readonly RedisConnectionOptions _options;
    private readonly SentinelQuestion _question;

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
        _question = new SentinelQuestion(endpoint, service, _options);
    }

    public string Service { get; }

    /// <summary>Where the primary is.</summary>
    /// <inheritdoc cref="OpenPrimary" path="/exception"/>
    public RedisEndpoint ResolvePrimary()
    {
        using var connection = OpenPrimary();
        return connection.Endpoint;
    }

    /// <summary>Connects to the primary: the first server that a Sentinel names and that says so itself.</summary>
    /// <exception cref="RedisException">
    /// No Sentinel answers, none knows the service, or the server they name is not the primary or not there; the last
    /// is transient, because so it is while a failover goes on.
    /// </exception>
    public RedisConnection OpenPrimary()
    {
        _question.IsPatient = _question.Sentinels.Count == 1;
        var outcome = new SearchOutcome(_endpoint);
        var connection = Search(outcome);
        if (connection is null && !_question.IsPatient && outcome.WasTooHasty)
        {
            _question.IsPatient = true;
            outcome = new SearchOutcome(_endpoint);
            connection = Search(outcome);
        }

        return connection ?? throw outcome.Failure();
    }

    internal IReadOnlyList<RedisEndpoint> Sentinels => _question.Sentinels;

    internal RedisConnection OpenSentinel(RedisEndpoint sentinel) => _question.Open(sentinel);

    /// <summary>Where a Sentinel says that the primary is; nobody has verified it.</summary>
    internal HostAndPort? Ask(RedisEndpoint sentinel) => _question.Primary(sentinel);

    /// <summary>Asks a server whether it is the primary.</summary>
    /// <exception cref="RedisException">It is none, or does not answer.</exception>
    internal RedisEndpoint Verify(HostAndPort address)
    {
        using var connection = RedisConnection.Open(_endpoint.At(address), _options);
        return ServerRole.WhyNotThePrimary(connection) is { } reason
            ? throw new RedisConnectException(ConnectFailure.NoFittingServer, $"{_endpoint}: {address} {reason}")
            : connection.Endpoint;
    }

    private RedisConnection? Search(SearchOutcome outcome)
    {
        foreach (var sentinel in _question.Sentinels)
        {
            HostAndPort? named;
            try
            {
                named = _question.Primary(sentinel);
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
                _question.Prefer(sentinel);
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
}

/// <summary>What was found out in a search that failed, and what to tell the user of it.</summary>
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
