using System.Net;
using System.Runtime.CompilerServices;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using Driver = StackExchange.Redis;

namespace RedisLatency.Redis.StackExchange;

/// <summary>
/// A multiplexer as an application has it: all its callers share it, it connects again by itself, and in a cluster it
/// finds the nodes and follows redirections itself. May be used from any thread.
/// </summary>
public sealed class ApplicationClient : IDisposable
{
    private readonly Driver.ConnectionMultiplexer _multiplexer;
    private readonly Driver.IDatabase _database;
    private readonly ConnectionTally _tally = new();
    private long _moved;
    private long _contradictions;

    private ApplicationClient(Driver.ConnectionMultiplexer multiplexer)
    {
        _multiplexer = multiplexer;
        _database = multiplexer.GetDatabase();
        multiplexer.ConnectionFailed += (_, failed) => CountFailed(failed);
        multiplexer.ConnectionRestored += (_, restored) => CountRestored(restored);
        foreach (var server in multiplexer.GetEndPoints())
        {
            if (multiplexer.GetServer(server).IsConnected)
                _tally.CountOpened(server);
        }

        multiplexer.HashSlotMoved += (_, _) => Interlocked.Increment(ref _moved);
    }

    /// <summary>The version of the package that runs: <c>3.4.35</c>.</summary>
    public static string Version => ClientConnection.Version;

    /// <summary>Whether a server is connected.</summary>
    public bool IsConnected => _multiplexer.IsConnected;

    /// <summary>The servers that it knows, by the addresses it knows, and is not connected to.</summary>
    public IReadOnlyList<HostAndPort> Away =>
    [
        .. _multiplexer.GetEndPoints()
            .Where(server => !_multiplexer.GetServer(server).IsConnected)
            .Select(server => server switch
            {
                IPEndPoint ip => new HostAndPort(ip.Address.ToString(), ip.Port),
                DnsEndPoint dns => new HostAndPort(dns.Host, dns.Port),
                _ => new HostAndPort(server.ToString()!, 0),
            }),
    ];

    /// <summary>The version of RESP that is spoken.</summary>
    public int Protocol => ClientConnection.Protocol(_multiplexer);

    /// <summary>How many connections for commands have ended.</summary>
    public long ConnectionsLost => _tally.Lost;

    /// <summary>How many of them have come back.</summary>
    public long Reconnected => _tally.Restored;

    /// <summary>How often a server said that a slot had moved.</summary>
    public long Moved => Interlocked.Read(ref _moved);

    /// <summary>How often a connection was closed because what came was no reply to anything.</summary>
    public long Contradictions => Interlocked.Read(ref _contradictions);

    /// <summary>Connects, and says in the user's terms what keeps it from that.</summary>
    /// <param name="endpoints">One server, or some servers of one cluster.</param>
    /// <param name="options">How connections are opened.</param>
    /// <exception cref="RedisException">The server cannot be used.</exception>
    public static ApplicationClient Open(IReadOnlyList<RedisEndpoint> endpoints, RedisConnectionOptions options)
    {
        ArgumentOutOfRangeException.ThrowIfZero(endpoints.Count);
        var reached = ClientConnection.Rehearse(endpoints[0], options, []);

        // The primary that Sentinels name is the server; who follows a failover opens another client at the next one.
        IReadOnlyList<RedisEndpoint> servers = endpoints[0].Topology == EndpointTopology.Sentinel
            ? [reached]
            : [.. endpoints.SelectMany(endpoint => endpoint.Servers).Distinct()];
        return new ApplicationClient(ClientConnection.OpenForApplication(servers, options));
    }

    /// <summary>
    /// Sends an operation; whatever becomes of it is in what is returned, nothing is thrown. The call itself does what
    /// the client does on its caller's thread.
    /// </summary>
    /// <param name="request">The operation.</param>
    /// <param name="isRead">Whether somebody looks at the values.</param>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<ClientReply> Send(ClientRequest request, bool isRead)
    {
        try
        {
            if (request.Arguments is not { } arguments)
            {
                if (request.Commands[0].IsGet)
                    return ClientReply.Of(await _database.StringGetAsync(request.Key).ConfigureAwait(false));
                return ClientReply.DoneIf(await _database
                    .StringSetAsync(request.Key, request.Value, default(TimeSpan?), Driver.When.Always)
                    .ConfigureAwait(false));
            }

            if (arguments.Length > 1)
                return await SendSeveral(request.Commands, arguments).ConfigureAwait(false);
            var result = await _database.ExecuteAsync(request.Commands[0].Name, arguments[0])
                .ConfigureAwait(false);
            return isRead ? ClientReply.Of(result) : ClientReply.Done;
        }
        catch (Exception problem)
        {
            return ClientReply.Of(problem);
        }
    }

    /// <summary>
    /// Whether each server's next reply is that to the next command. What is left over of an answer to nothing would be
    /// taken for it, which is seen nowhere else when no more is asked. Waits for the replies; nothing is thrown.
    /// </summary>
    public bool AnswersInTurn() => _multiplexer.GetServers().Where(server => server.IsConnected).All(AnswersInTurn);

    /// <summary>Closes the connections; what is in flight is given up.</summary>
    public void Dispose() => _multiplexer.Close(allowCommandsToComplete: false);

    private static bool AnswersInTurn(Driver.IServer server)
    {
        var word = Guid.NewGuid().ToString("N");
        try
        {
            return server.Execute("ECHO", word).ToString() == word;
        }
        catch (Driver.RedisConnectionException lost)
        {
            return !IsContradicted(lost.FailureType, lost);
        }
        catch (Exception refused) when (refused is Driver.RedisException or TimeoutException)
        {
            return true;
        }
    }

    private async Task<ClientReply> SendSeveral(IReadOnlyList<ClientCommand> commands, object[][] arguments)
    {
        var isTransaction = ClientCommand.IsTransaction(commands);
        var transaction = isTransaction ? _database.CreateTransaction() : null;
        var (first, end) = isTransaction ? (1, commands.Count - 1) : (0, commands.Count);
        var replies = new List<Task>();
        for (var command = first; command < end; command++)
        {
            replies.Add(transaction is null
                ? _database.ExecuteAsync(commands[command].Name, arguments[command])
                : transaction.ExecuteAsync(commands[command].Name, arguments[command]));
        }

        if (transaction is not null)
        {
            try
            {
                await transaction.ExecuteAsync().ConfigureAwait(false);
            }
            catch
            {
                // Each of its commands has failed with it; nobody else looks at their errors.
                await Task.WhenAll(replies).ContinueWith(
                    failed => _ = failed.Exception, TaskScheduler.Default).ConfigureAwait(false);
                throw;
            }
        }

        await Task.WhenAll(replies).ConfigureAwait(false);
        return ClientReply.Done;
    }

    // What only subscribes carries no operation.
    private void CountFailed(Driver.ConnectionFailedEventArgs failed)
    {
        if (failed.ConnectionType != Driver.ConnectionType.Interactive)
            return;
        if (failed.FailureType == Driver.ConnectionFailureType.UnableToConnect)
            _tally.CountRefused(failed.EndPoint);
        else
            _tally.CountLost(failed.EndPoint);
        if (IsContradicted(failed.FailureType, failed.Exception))
            Interlocked.Increment(ref _contradictions);
    }

    // The client calls it an internal failure; that the network broke is one of its own kinds, or of the system's.
    private static bool IsContradicted(Driver.ConnectionFailureType type, Exception? failure) =>
        type == Driver.ConnectionFailureType.ProtocolFailure
        || (type == Driver.ConnectionFailureType.InternalFailure
            && failure?.InnerException is FormatException
                or (InvalidOperationException and not ObjectDisposedException));

    private void CountRestored(Driver.ConnectionFailedEventArgs restored)
    {
        if (restored.ConnectionType == Driver.ConnectionType.Interactive)
            _tally.CountOpened(restored.EndPoint);
    }
}

/// <summary>
/// How many connections of a client have ended and come back, by what it tells. It may tell of the first connection
/// that it has come back, and of one that ended only that it could not be opened again.
/// </summary>
internal sealed class ConnectionTally
{
    private static readonly object Unnamed = new();

    private readonly HashSet<object> _open = [];
    private readonly HashSet<object> _away = [];
    private long _lost;
    private long _restored;

    public long Lost => Interlocked.Read(ref _lost);

    public long Restored => Interlocked.Read(ref _restored);

    /// <summary>A connection has ended.</summary>
    public void CountLost(EndPoint? server)
    {
        lock (_away)
        {
            _open.Remove(server ?? Unnamed);
            if (_away.Add(server ?? Unnamed))
                Interlocked.Increment(ref _lost);
        }
    }

    /// <summary>A connection could not be opened: where there was one, it has ended.</summary>
    public void CountRefused(EndPoint? server)
    {
        lock (_away)
        {
            if (_open.Contains(server ?? Unnamed))
                CountLost(server);
        }
    }

    /// <summary>A connection is there, for the first time or again.</summary>
    public void CountOpened(EndPoint? server)
    {
        lock (_away)
        {
            _open.Add(server ?? Unnamed);
            if (_away.Remove(server ?? Unnamed))
                Interlocked.Increment(ref _restored);
        }
    }
}
