using System.Globalization;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Fixtures;

/// <summary>
/// A real primary, its replicas and the Sentinels that watch them (<c>redis-server --sentinel</c>), as processes on
/// free loopback ports; ended with the test.
/// </summary>
public sealed class SentinelProcesses : IAsyncDisposable
{
    private readonly SentinelOptions _options;
    private readonly List<RedisServerProcess> _servers = [];
    private readonly List<RedisServerProcess> _sentinels = [];

    private SentinelProcesses(SentinelOptions options) => _options = options;

    /// <summary>The servers; the first is the primary at the beginning.</summary>
    public IReadOnlyList<RedisServerProcess> Servers => _servers;

    /// <summary>The Sentinels.</summary>
    public IReadOnlyList<RedisServerProcess> Sentinels => _sentinels;

    /// <summary>Starts everything and waits until the Sentinels know the servers and each other.</summary>
    public static async Task<SentinelProcesses> Start(SentinelOptions? options = null)
    {
        var processes = new SentinelProcesses(options ?? new SentinelOptions());
        try
        {
            await processes.Create();
            return processes;
        }
        catch
        {
            await processes.DisposeAsync();
            throw;
        }
    }

    /// <summary>The endpoint as users type it: the Sentinels in the order given, or all of them.</summary>
    public string Uri(params IReadOnlyList<int> ports)
    {
        var login = _options.Password is { } password ? $":{password}@" : string.Empty;
        var addresses = (ports.Count > 0 ? ports : [.. _sentinels.Select(sentinel => sentinel.Port)])
            .Select(port => $"127.0.0.1:{port}");
        var own = _options.SentinelPassword is { } secret ? $"?sentinel-password={secret}" : string.Empty;
        return $"redis+sentinel://{login}{string.Join(',', addresses)}/{_options.Service}{own}";
    }

    /// <summary>Starts one Sentinel with a configuration of the caller's; port and folder are added.</summary>
    public static Task<RedisServerProcess> StartSentinel(IEnumerable<string> configuration) =>
        RedisServerProcess.StartWith("redis-server", FreePort.Next(), sentinel =>
        {
            var file = Path.Combine(sentinel.Folder, "sentinel.conf");
            File.WriteAllLines(file, [$"port {sentinel.Port}", $"dir {sentinel.Folder}", .. configuration]);
            return [file, "--sentinel"];
        });

    /// <summary>
    /// Makes a Sentinel choose another primary while the old one is well, once the replicas have what that has. One
    /// that has just been held up holds no replica fit until it has heard from it again, and gives up what it had
    /// begun: then it is asked once more.
    /// </summary>
    public async Task Failover(RedisServerProcess sentinel)
    {
        string? before = null;
        long? offset = null;
        // A replica is sent nothing until it has said, up to a second after its data set, that it has that.
        await Eventually.Is("the replicas have what the primary has", () =>
        {
            before ??= AskSentinel(sentinel).Find("port")!.Text;
            offset ??= OffsetIn(RoleOf(_servers.Single(server => Text(server.Port) == before)), "master", 1);
            return offset is { } all && _servers.All(server => (OffsetIn(RoleOf(server), "slave", 4) ?? all) >= all);
        });
        await Eventually.Is("the Sentinel names another primary", () =>
        {
            using var connection = OpenSentinel(sentinel);
            var service = connection.Execute("SENTINEL", "MASTER", _options.Service);
            var port = service.Find("port")!.Text;
            if (port == before && service.Find("flags")!.Text == "master")
                connection.Execute("SENTINEL", "FAILOVER", _options.Service);
            return port != before;
        });
    }

    /// <summary>Connects to a Sentinel.</summary>
    public RedisConnection OpenSentinel(RedisServerProcess sentinel) => Open(sentinel, _options.SentinelPassword);

    /// <summary>Connects to a server.</summary>
    public RedisConnection OpenServer(RedisServerProcess server) => Open(server, _options.Password);

    public async ValueTask DisposeAsync()
    {
        foreach (var process in _sentinels.Concat(_servers))
            await process.DisposeAsync();
    }

    private static RedisConnection Open(RedisServerProcess process, string? password)
    {
        var login = password is null ? string.Empty : $":{password}@";
        return RedisConnection.Open(
            RedisEndpoint.Parse($"redis://{login}127.0.0.1:{process.Port}"), Patience.Connection);
    }

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private async Task Create()
    {
        string[] login = _options.Password is { } password ? ["--requirepass", password, "--masterauth", password] : [];
        string[] quick = ["--repl-ping-replica-period", "1", .. login];
        _servers.Add(await RedisServerProcess.Start("redis-server", quick));
        for (var i = 0; i < _options.Replicas; i++)
        {
            _servers.Add(await RedisServerProcess.Start(
                "redis-server", [.. quick, "--replicaof", "127.0.0.1", Text(_servers[0].Port)]));
        }

        // Sentinels find replicas at once only if these are there before them.
        await Eventually.Is("the replicas follow", () => _servers.Skip(1).All(Follows) && KnowsReplicas(_servers[0]));
        var sentinels = Enumerable.Range(0, _options.Sentinels).Select(_ => StartSentinel(Configuration()));
        _sentinels.AddRange(await Task.WhenAll(sentinels));
        try
        {
            await Eventually.Is("the Sentinels know everything", () => _sentinels.All(KnowsEverything));
        }
        catch (TimeoutException problem)
        {
            var logs = _servers.Concat(_sentinels).Select(process => $"port {process.Port}:\n{process.Log}");
            throw new TimeoutException($"{problem.Message}\n{string.Join('\n', logs)}", problem);
        }
    }

    private RespValue AskSentinel(RedisServerProcess sentinel)
    {
        using var connection = OpenSentinel(sentinel);
        return connection.Execute("SENTINEL", "MASTER", _options.Service);
    }

    private IReadOnlyList<RespValue> RoleOf(RedisServerProcess server)
    {
        using var connection = OpenServer(server);
        return connection.Execute("ROLE").Items;
    }

    private static long? OffsetIn(IReadOnlyList<RespValue> role, string name, int place) => role[0].Text == name
        ? long.Parse(role[place].Text, CultureInfo.InvariantCulture)
        : null;

    private bool Follows(RedisServerProcess replica) =>
        RoleOf(replica) is { Count: > 3 } role && role[3].Text == "connected";

    private bool KnowsReplicas(RedisServerProcess primary) => RoleOf(primary)[2].Items.Count == _options.Replicas;

    private bool KnowsEverything(RedisServerProcess sentinel)
    {
        using var connection = OpenSentinel(sentinel);
        var service = connection.Execute("SENTINEL", "MASTER", _options.Service);
        return service.Find("flags")?.Text == "master"
            && service.Find("num-slaves")?.Text == Text(_options.Replicas)
            && service.Find("num-other-sentinels")?.Text == Text(_options.Sentinels - 1)
            && connection.Execute("SENTINEL", "REPLICAS", _options.Service).Items
                .All(replica => replica.Find("master-link-status")?.Text == "ok");
    }

    private IEnumerable<string> Configuration()
    {
        var service = _options.Service;
        yield return "bind 127.0.0.1";
        yield return $"sentinel monitor {service} 127.0.0.1 {_servers[0].Port} {(_options.Sentinels / 2) + 1}";
        yield return $"sentinel down-after-milliseconds {service} 2000";
        yield return $"sentinel failover-timeout {service} 10000";
        if (_options.Password is { } password)
            yield return $"sentinel auth-pass {service} {password}";
        if (_options.SentinelPassword is { } secret)
        {
            yield return $"requirepass {secret}";
            yield return $"sentinel sentinel-pass {secret}";
        }

        foreach (var line in _options.SentinelLines)
            yield return line;
    }
}
