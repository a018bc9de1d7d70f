using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Workloads.Engine;

/// <summary>Reopens a worker's connections on its own thread, a server's one by one, and calls back.</summary>
internal sealed class ConnectionOpener(EnginePlan plan, Action opened) : IDisposable
{
    private readonly Dictionary<RedisEndpoint, (BlockingCollection<LostConnection> Lost, Thread Thread)> _servers = [];
    private readonly ConcurrentQueue<(int Token, TakenConnection Connection)> _opened = new();
    private readonly ConcurrentQueue<string> _refusals = new();
    private readonly CancellationTokenSource _ending = new();
    private volatile RedisException? _failure;
    private volatile RedisException? _lastProblem;

    /// <summary>Why trying is of no use, or null.</summary>
    public RedisException? Failure => _failure;

    public RedisException? LastProblem => _lastProblem;

    public bool HasOpened => !_opened.IsEmpty;

    /// <summary>Logged in, named, fit to be read from, with its scripts known to the server.</summary>
    public static TakenConnection Open(EnginePlan plan, RedisEndpoint endpoint)
    {
        var connection = RedisConnection.Open(
            endpoint,
            plan.Connection with { ReadsReplica = plan.IsCluster && plan.ReadFrom != ReadPreference.Primary });
        try
        {
            // With every connection: a server that was restarted has forgotten it, one that was promoted never knew.
            plan.Mix.Prepare(connection);
            return connection.Take();
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    /// <summary>Asks for a connection; never waits.</summary>
    /// <param name="token">Whose place it takes.</param>
    /// <param name="endpoint">The server.</param>
    /// <param name="hasServed">Whether the one before answered anything.</param>
    public void Request(int token, RedisEndpoint endpoint, bool hasServed)
    {
        if (!_servers.TryGetValue(endpoint, out var server))
        {
            var lost = new BlockingCollection<LostConnection>();
            var thread = new Thread(() => Run(endpoint, lost)) { IsBackground = true, Name = "workload-reconnect" };
            _servers.Add(endpoint, server = (lost, thread));
            thread.Start();
        }

        server.Lost.Add(new(token, hasServed));
    }

    public bool TryTake(out int token, out TakenConnection connection)
    {
        var isThere = _opened.TryDequeue(out var one);
        (token, connection) = one;
        return isThere;
    }

    public bool TryTakeRefusal([NotNullWhen(true)] out string? error) => _refusals.TryDequeue(out error);

    /// <summary>Stops trying; what nobody took is closed.</summary>
    public void Dispose()
    {
        _ending.Cancel();
        foreach (var (lost, thread) in _servers.Values)
        {
            thread.Join();
            lost.Dispose();
        }

        while (_opened.TryDequeue(out var one))
            one.Connection.Dispose();
        _ending.Dispose();
    }

    private void Run(RedisEndpoint endpoint, BlockingCollection<LostConnection> lost)
    {
        var reconnections = new Dictionary<int, Reconnection>();
        try
        {
            foreach (var (token, hasServed) in lost.GetConsumingEnumerable(_ending.Token))
            {
                if (!reconnections.TryGetValue(token, out var reconnection))
                    reconnections.Add(token, reconnection = new Reconnection());
                if (hasServed)
                    reconnection.NoteServed();
                OpenAgain(token, endpoint, reconnection);
            }
        }
        catch (OperationCanceledException)
        {
            // Nobody waits for these connections any more.
        }
    }

    private void OpenAgain(int token, RedisEndpoint endpoint, Reconnection reconnection)
    {
        try
        {
            if (reconnection.TryReach(() => Open(plan, endpoint), _ending.Token, out var connection, MayPass))
                _opened.Enqueue((token, connection));
        }
        catch (RedisException problem)
        {
            _failure = problem;
        }

        opened();
    }

    private bool MayPass(RedisException problem)
    {
        _lastProblem = problem;
        if ((problem as RedisServerException ?? problem.InnerException as RedisServerException) is { } refusal)
        {
            _refusals.Enqueue(refusal.Reply);
            opened();
        }

        // A server that has as many clients as it may have says so, and has room again when others go. One of several
        // that refuses is another matter for as long as the others serve.
        return plan.IsRouted || problem.MayPassAtReconnect
            || problem is RedisConnectException { Reason: ConnectFailure.RefusedByServer };
    }

    private readonly record struct LostConnection(int Token, bool HasServed);
}
