using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Tests.Engine;

/// <summary>A real server that answers with an error from <see cref="Provoke"/> until <see cref="Heal"/>.</summary>
internal sealed class ErringServer : IAsyncDisposable
{
    private readonly string _code;
    private readonly IAsyncDisposable _owner;
    private readonly RedisServerProcess _server;
    private Task _occupied = Task.CompletedTask;

    private ErringServer(string code, IAsyncDisposable owner, RedisServerProcess server) =>
        (_code, _owner, _server) = (code, owner, server);

    /// <summary>The endpoint, without a password where one is needed.</summary>
    public string Uri => _server.Uri;

    public static async Task<ErringServer> Start(string code)
    {
        if (code == "MOVED")
        {
            var cluster = await RedisClusterProcesses.Start(new() { ReplicasPerPrimary = 0 });
            return new ErringServer(
                code, cluster, cluster.Servers.First(server => server != cluster.PrimaryOf(SlotOfTheKey)));
        }

        string[] arguments = code switch
        {
            "LOADING" => ["--enable-debug-command", "yes", "--loading-process-events-interval-bytes", "1024"],
            "BUSY" => ["--lua-time-limit", "1"],
            "NOAUTH" => ["--requirepass", "secret"],
            _ => [],
        };
        var server = await RedisServerProcess.Start("redis-server", arguments);
        return new ErringServer(code, server, server);
    }

    /// <summary>Operations on one key that meet the error, on connections that send nothing of their own.</summary>
    public EnginePlan Plan(ErrorPolicy policy, long operations) =>
        EngineTest.Plan(Uri, EngineTest.Mix(_code is "WRONGTYPE" or "LOADING" or "BUSY" ? "get" : "set"), keys: 1) with
        {
            Connection = Patience.Connection with { Protocol = RespPreference.Resp2, ClientName = string.Empty },
            OnError = policy,
            MaximumRetries = int.MaxValue,
            Operations = operations,
            DrainLimit = ServiceProcess.LimitAgainstHangs,
        };

    /// <summary>Returns when the server answers with the error.</summary>
    public async Task Provoke()
    {
        switch (_code)
        {
            case "OOM":
                Execute("CONFIG", "SET", "maxmemory", "1");
                break;
            case "READONLY":
                Execute("REPLICAOF", "127.0.0.1", FreePort.Next().ToString(CultureInfo.InvariantCulture));
                break;
            case "LOADING":
                Execute("DEBUG", "POPULATE", "1000", "filler", "1000");
                Execute("CONFIG", "SET", "key-load-delay", "15000");
                await Occupy("DEBUG", "RELOAD");
                break;
            case "WRONGTYPE":
                Execute("RPUSH", "k0", "an element");
                break;
            case "BUSY":
                await Occupy("EVAL", "while true do end", "0");
                break;
        }
    }

    /// <summary>Ends the error, where it is one that may pass.</summary>
    public async Task Heal()
    {
        Execute(_code switch
        {
            "OOM" => ["CONFIG", "SET", "maxmemory", "0"],
            "READONLY" => ["REPLICAOF", "NO", "ONE"],
            "LOADING" => ["CONFIG", "SET", "key-load-delay", "0"],
            _ => ["SCRIPT", "KILL"],
        });
        await _occupied;
    }

    public async ValueTask DisposeAsync()
    {
        await _owner.DisposeAsync();
        await _occupied;
    }

    private static int SlotOfTheKey => Redis.Topology.KeySlot.Of("k0"u8);

    // The command holds its connection, and the server, until the test has seen what others are told meanwhile.
    private async Task Occupy(params string[] command)
    {
        _occupied = Task.Factory.StartNew(() => EndsHow(command), TaskCreationOptions.LongRunning);
        using var other = Open();
        await Eventually.Is($"the server says {_code}", () =>
            other.Request("GET", "k0").Text.StartsWith(_code, StringComparison.Ordinal));
    }

    private void EndsHow(string[] command)
    {
        try
        {
            using var connection = Open();
            connection.Request(command);
        }
        catch (Redis.RedisConnectionLostException)
        {
            // The test has ended the server first.
        }
    }

    private void Execute(params string[] words)
    {
        using var connection = Open();
        connection.Execute(words);
    }

    private RedisConnection Open() => RedisConnection.Open(
        RedisEndpoint.Parse(_code == "NOAUTH" ? $"redis://:secret@127.0.0.1:{_server.Port}" : Uri),
        Patience.Connection with { Protocol = RespPreference.Resp2, ClientName = string.Empty });
}
