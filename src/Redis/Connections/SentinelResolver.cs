using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Connections;

/// <summary>
/// Finds the servers of a service that Sentinels watch, and believes no Sentinel before the server itself has said that
/// it is what it is said to be. The login of the endpoint is the servers'; Sentinels are given their own, or the
/// servers' where they ask for one and have none of their own. Source:
/// https://redis.io/docs/latest/develop/reference/sentinel-clients. Used by one thread at a time.
/// </summary>
public sealed class SentinelResolver
{
    private readonly RedisEndpoint _endpoint;
    private readonly RedisConnectionOptions _options;
    private readonly SentinelQuestion _question;
    private int _next;

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

    /// <summary>The name of the service.</summary>
    public string Service { get; }

    /// <summary>Where the primary is.</summary>
    /// <inheritdoc cref="OpenPrimary" path="/exception"/>
    public RedisEndpoint ResolvePrimary()
    {
        using var connection = OpenPrimary();
        return connection.Endpoint;
    }

    /// <summary>Where a replica is that follows its primary.</summary>
    /// <inheritdoc cref="OpenReplica" path="/exception"/>
    public RedisEndpoint ResolveReplica()
    {
        using var connection = OpenReplica();
        return connection.Endpoint;
    }

    /// <summary>Connects to the primary: the first server that a Sentinel names and that says so itself.</summary>
    /// <exception cref="RedisException">
    /// No Sentinel answers, none knows the service, or the server they name is not the primary or not there; the last
    /// is transient, because so it is while a failover goes on.
    /// </exception>
    public RedisConnection OpenPrimary() => Open(
        sentinel => _question.Primary(sentinel) is { } address ? [address] : null,
        connection => ServerRole.Ask(connection).WhyNotThePrimary,
        "primary");

    /// <summary>Connects to a replica that follows its primary, another one each time.</summary>
    /// <exception cref="RedisException">As for the primary; or there is none that is fit to be read.</exception>
    public RedisConnection OpenReplica() => Open(
        sentinel => Rotate(_question.Replicas(sentinel)),
        connection => ServerRole.Ask(connection).WhyNotAFittingReplica,
        "replica");

    internal IReadOnlyList<RedisEndpoint> Sentinels => _question.Sentinels;

    internal RedisConnection OpenSentinel(RedisEndpoint sentinel) => _question.Open(sentinel);

    /// <summary>Where a Sentinel says that the primary is; nobody has verified it.</summary>
    internal HostAndPort? Ask(RedisEndpoint sentinel) => _question.Primary(sentinel);

    /// <summary>Asks a server whether it is the primary.</summary>
    /// <exception cref="RedisException">It is none, or does not answer.</exception>
    internal RedisEndpoint Verify(HostAndPort address)
    {
        using var connection = RedisConnection.Open(_endpoint.At(address), _options);
        return ServerRole.Ask(connection).WhyNotThePrimary is { } reason
            ? throw new RedisConnectException(ConnectFailure.NoFittingServer, $"{_endpoint}: {address} {reason}")
            : connection.Endpoint;
    }

    private RedisConnection Open(
        Func<RedisEndpoint, IReadOnlyList<HostAndPort>?> ask, Func<RedisConnection, string?> doubt, string what)
    {
        _question.IsPatient = _question.Sentinels.Count == 1;
        var outcome = new SearchOutcome(_endpoint, what);
        var connection = Search(ask, doubt, what, outcome);
        if (connection is null && !_question.IsPatient && outcome.WasTooHasty)
        {
            _question.IsPatient = true;
            outcome = new SearchOutcome(_endpoint, what);
            connection = Search(ask, doubt, what, outcome);
        }

        return connection ?? throw outcome.Failure();
    }

    private RedisConnection? Search(
        Func<RedisEndpoint, IReadOnlyList<HostAndPort>?> ask,
        Func<RedisConnection, string?> doubt,
        string what,
        SearchOutcome outcome)
    {
        foreach (var sentinel in _question.Sentinels)
        {
            IReadOnlyList<HostAndPort>? addresses;
            try
            {
                addresses = ask(sentinel);
            }
            catch (RedisException problem)
            {
                outcome.SentinelFailed(problem);
                continue;
            }

            if (addresses is null)
                outcome.ServiceUnknown(sentinel);
            else if (addresses.Count == 0)
                outcome.ServerUnfit($"{sentinel.Address} knows no {what} that is up");
            foreach (var address in addresses ?? [])
            {
                if (TryOpen(sentinel, address, doubt, outcome) is { } connection)
                {
                    _question.Prefer(sentinel);
                    return connection;
                }
            }
        }

        return null;
    }

    private RedisConnection? TryOpen(
        RedisEndpoint sentinel, HostAndPort address, Func<RedisConnection, string?> doubt, SearchOutcome outcome)
    {
        RedisConnection? connection = null;
        try
        {
            connection = RedisConnection.Open(_endpoint.At(address), _options);
            if (doubt(connection) is not { } reason)
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

    private HostAndPort[]? Rotate(IReadOnlyList<HostAndPort>? addresses)
    {
        if (addresses is null || addresses.Count == 0)
            return addresses is null ? null : [];
        var first = _next++ % addresses.Count;
        return [.. addresses.Skip(first), .. addresses.Take(first)];
    }
}
