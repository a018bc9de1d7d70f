using System.Globalization;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Fixtures;

/// <summary>
/// A real cluster of processes on free loopback ports, made with the cluster's own commands; ended with the test.
/// </summary>
public sealed partial class RedisClusterProcesses : IAsyncDisposable
{
    private const int SlotCount = 16384;

    private readonly RedisClusterOptions _options;
    private readonly List<RedisServerProcess> _servers = [];

    private RedisClusterProcesses(RedisClusterOptions options) => _options = options;

    /// <summary>Every server, at first the primaries in the order of their slots, then replicas.</summary>
    public IReadOnlyList<RedisServerProcess> Servers => _servers;

    /// <summary>The endpoint as users type it, with the addresses of all servers.</summary>
    public string Uri =>
        $"redis+cluster://{Login}{string.Join(',', _servers.Select(server => $"127.0.0.1:{server.Port}"))}";

    private string Login => _options.Password is { } password ? $":{password}@" : string.Empty;

    /// <summary>Starts the servers and waits until all of them agree and the replicas follow.</summary>
    public static async Task<RedisClusterProcesses> Start(RedisClusterOptions? options = null)
    {
        var cluster = new RedisClusterProcesses(options ?? new RedisClusterOptions());
        try
        {
            await cluster.Create();
            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    /// <summary>Connects to one of the servers.</summary>
    public RedisConnection Open(RedisServerProcess server) =>
        RedisConnection.Open(RedisEndpoint.Parse($"redis://{Login}127.0.0.1:{server.Port}"), Patience.Connection);

    /// <summary>The primary of a slot as another running server sees it.</summary>
    public RedisServerProcess PrimaryOf(int slot)
    {
        using var connection = Open(_servers.First(server => server.IsRunning));
        return WithPort(ClusterView.Read(connection).Primaries[slot])!;
    }

    /// <summary>The running replicas of a primary, as another running server sees them.</summary>
    public IReadOnlyList<RedisServerProcess> ReplicasOf(RedisServerProcess primary)
    {
        using var connection = Open(_servers.First(server => server.IsRunning));
        return [.. ClusterView.Read(connection).Replicas[primary.Port].Select(port => WithPort(port)!)];
    }

    /// <summary>Waits until all running servers agree, say that the cluster is up, and know all replicas.</summary>
    public async Task Settle()
    {
        try
        {
            await Eventually.Is("the servers of the cluster agree", () => Agree(_servers));
        }
        catch (TimeoutException never)
        {
            throw new TimeoutException(string.Join('\n', _servers.Where(server => server.IsRunning).Select(State)), never);
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var server in _servers)
            await server.DisposeAsync();
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private async Task Create()
    {
        var primaries = _options.Primaries;
        var count = primaries * (1 + _options.ReplicasPerPrimary);
        _servers.AddRange(await Task.WhenAll(Enumerable.Range(0, count).Select(_ => StartServer())));
        for (var i = 0; i < count; i++)
        {
            using var connection = Open(_servers[i]);
            // Different epochs from the beginning: the servers need not settle who is the elder.
            connection.Execute("CLUSTER", "SET-CONFIG-EPOCH", Text(i + 1));
            if (i < primaries)
                connection.Execute("CLUSTER", "ADDSLOTSRANGE", Text(FirstSlot(i)), Text(FirstSlot(i + 1) - 1));
            if (i > 0)
                connection.Execute("CLUSTER", "MEET", "127.0.0.1", Text(_servers[0].Port));
        }

        await Eventually.Is("the servers know each other", () => _servers.All(server => KnownTo(server) == count));
        for (var i = primaries; i < count; i++)
        {
            using var connection = Open(_servers[i]);
            connection.Execute("CLUSTER", "REPLICATE", IdOf(_servers[i % primaries]));
        }

        await Settle();
    }

    private int FirstSlot(int primary) => (int)((long)SlotCount * primary / _options.Primaries);

    private Task<RedisServerProcess> StartServer() => RedisServerProcess.StartWith(
        _options.Program,
        FreePort.NextWithBus(),
        server =>
        [
            .. server.StandardArguments,
            "--cluster-enabled", "yes",
            "--cluster-node-timeout", Text((int)_options.NodeTimeout.TotalMilliseconds),

            // A replica is promoted however long its link was down, and stays with its primary otherwise.
            "--cluster-replica-validity-factor", "0",
            "--cluster-allow-replica-migration", "no",
            "--repl-ping-replica-period", "1",
            .. _options.Password is { } password ? ["--requirepass", password, "--masterauth", password] : (string[])[],
            .. _options.Arguments,
        ]);

    private RedisServerProcess? WithPort(int port) => _servers.Find(server => server.Port == port);

    private string IdOf(RedisServerProcess server)
    {
        using var connection = Open(server);
        return connection.Execute("CLUSTER", "MYID").Text;
    }

    private int KnownTo(RedisServerProcess server)
    {
        using var connection = Open(server);
        var nodes = connection.Execute("CLUSTER", "NODES").Text;
        return nodes.Split('\n', StringSplitOptions.RemoveEmptyEntries)
            .Count(line => !line.Contains("handshake", StringComparison.Ordinal));
    }

    private bool Agree(IReadOnlyList<RedisServerProcess> servers)
    {
        ClusterView? first = null;
        foreach (var server in servers.Where(server => server.IsRunning))
        {
            using var connection = Open(server);
            var view = ClusterView.Read(connection);
            first ??= view;
            var running = servers.Count(one => one.IsRunning);
            if (!view.IsUp || !view.Agrees(first) || view.ServerCount != running || !FollowsItsPrimary(connection))
                return false;
        }

        return true;
    }

    private string State(RedisServerProcess server)
    {
        using var connection = Open(server);
        var nodes = connection.Execute("CLUSTER", "NODES").Text;
        return $"{server.Port}:\n{nodes}{connection.Execute("INFO", "replication").Text}";
    }

    private static bool FollowsItsPrimary(RedisConnection connection) =>
        !connection.Execute("INFO", "replication").Text.Contains("master_link_status:down", StringComparison.Ordinal);
}
