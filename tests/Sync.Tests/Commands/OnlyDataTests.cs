using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Tests.Runs;
using RedisLatency.Sync.Tests.Sources;

namespace RedisLatency.Sync.Tests.Commands;

/// <summary>What is said by a source, a file or a function, and is no data.</summary>
public sealed class OnlyDataTests : IDisposable
{
    // As the table has them that are no writes by the server's flags.
    private static readonly string[] Known =
        ["discard", "eval", "evalsha", "exec", "exists", "fcall", "function", "multi", "pfcount", "ping", "publish",
            "script", "select", "spublish", "touch", "replconf", "xgroup"];

    private readonly string _folder = Directory.CreateTempSubdirectory("only-data").FullName;

    [Fact]
    public async Task EveryCommandOfTheServer_ThatIsNoWrite_IsLeftOut_AndTheDataIsThere()
    {
        await using var target = await RedisServerProcess.Start();
        using var client = SourceServers.Open(target);
        var names = client.Execute("COMMAND").Items
            .Where(row => !row.Items[2].Items.Any(flag => flag.Text == "write"))
            .Select(row => row.Items[0].Text).Except(Known).ToList();
        var before = Called(client);

        var (_, record) = await RunFile(
            target, 0, ["SET first 1", .. names.Select(name => $"{name} SET maxmemory 1"), "SET last 1"]);

        client.Execute("EXISTS", "first", "last").Number.ShouldBe(2);
        client.Execute("ROLE").Items[0].Text.ShouldBe("master");
        Called(client).Except(before).Intersect(names)
            // The run's own questions.
            .ShouldBeSubsetOf(
                ["acl", "client", "command", "config", "dbsize", "hello", "hgetall", "info", "role", "time"]);
        (record.Synced("commands"), record.Synced("skipped")).ShouldBe((2, names.Count));
        record.Sync()["skips"]!.AsArray().ShouldHaveSingleItem()!["reason"]!.GetValue<string>()
            .ShouldStartWith("no write, message or script");
        names.Count.ShouldBeGreaterThan(80);
    }

    [Fact]
    public async Task Administration_OfAFile_ChangesNothing()
    {
        await using var target = await RedisServerProcess.Start();
        using var client = SourceServers.Open(target);

        var (process, _) = await RunFile(
            target, 0, [
                "SET first 1", "MULTI", "CONFIG SET maxmemory 123456789", "SET second 1", "EXEC",
                "ACL SETUSER thief on nopass ~* +@all", "REPLICAOF 127.0.0.1 1", "CLIENT REPLY OFF", "SHUTDOWN NOSAVE",
                "PUBLISH channel text", "SET last 1",
            ]);

        client.Execute("EXISTS", "first", "second", "last").Number.ShouldBe(3);
        client.Execute("CONFIG", "GET", "maxmemory").Items[1].Text.ShouldBe("0");
        client.Execute("ACL", "USERS").Items.Select(user => user.Text).ShouldBe(["default"]);
        client.Execute("ROLE").Items[0].Text.ShouldBe("master");
        process.ShouldContain("no write, message or script");
    }

    // It says to its replicas which slots a server of its cluster takes.
    [Fact]
    public async Task Source_ThatTellsItsReplicasOfSlots_IsFollowed()
    {
        await using var source = await RedisServerProcess.Start("valkey-server", ["--cluster-enabled", "yes"]);
        await using var target = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
        await Eventually.Is("it serves", () => from.Request("SET", "first", "1").Text == "OK");
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await process.Until("the first is there", () => to.Execute("EXISTS", "first").Number == 1);
        from.Execute("CLUSTER", "SETSLOT", "7", "NODE", from.Execute("CLUSTER", "MYID").Text);
        from.Execute("SET", "last", "1");
        await process.Until("the last is there", () => to.Execute("EXISTS", "last").Number == 1);

        var (_, record) = await process.EndBy("INT").End(process);

        record["verdict"]!["faults"]?.AsArray().ShouldBeEmpty();
        Called(to).ShouldNotContain("cluster|setslot");
        to.Execute("INFO", "errorstats").Text.ShouldNotContain("errorstat_ERR");
    }

    [Theory]
    [InlineData("BLPOP none 0")]
    [InlineData("BZPOPMIN none 0")]
    [InlineData("BLMOVE none other LEFT LEFT 0")]
    [InlineData("XREADGROUP GROUP g c BLOCK 0 STREAMS s >")]
    [InlineData("MIGRATE 127.0.0.1 1 first 0 1000")]
    public async Task Command_ThatWaitsOrReachesOthers_EndsTheRun(string command)
    {
        await using var target = await RedisServerProcess.Start();
        using var client = SourceServers.Open(target);

        var (process, _) = await RunFile(target, 4, ["SET first 1", command, "SET last 1"]);

        process.ShouldContain($"{command.Split(' ')[0]} is not carried out at the target");
        client.Execute("EXISTS", "last").Number.ShouldBe(0);
        Called(client).ShouldNotContain(command.Split(' ')[0].ToLowerInvariant());
    }

    [Theory]
    [InlineData("RPUSH from a", 0, 1)]
    [InlineData("SET other a", 4, 0)]
    public async Task ListThatIsTakenFrom_IsNotWaitedFor(string before, int exitCode, long moved)
    {
        await using var target = await RedisServerProcess.Start();
        using var client = SourceServers.Open(target);

        await RunFile(target, exitCode, [before, "BRPOPLPUSH from to 0"]);

        client.Execute("LLEN", "to").Number.ShouldBe(moved);
    }

    [Theory]
    [InlineData("'CONFIG', 'SET', 'maxmemory', '1'")]
    [InlineData("'SHUTDOWN', 'NOSAVE'")]
    [InlineData("'BLPOP', 'none', '0'")]
    public async Task Function_ThatGivesWhatIsNoData_EndsTheRun(string words)
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "key", "1");

        var (process, _) = await Run(SyncProcess.Start(
            "scan", pair.Source.Uri, pair.Target.Uri, "--function-code", $"shake.call(DB, {{ {words} }})"), 4);

        process.ShouldContain("which is no write, message or script");
        pair.To.Execute("CONFIG", "GET", "maxmemory").Items[1].Text.ShouldBe("0");
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static List<string> Called(RedisConnection client) =>
    [
        .. client.Execute("INFO", "commandstats").Text.Split('\n')
            .Where(line => line.StartsWith("cmdstat_", StringComparison.Ordinal))
            .Select(line => line["cmdstat_".Length..].Split(':')[0]),
    ];

    private async Task<(string Process, JsonNode Record)> RunFile(
        RedisServerProcess target, int exitCode, string[] commands)
    {
        var requests = new RespWriter();
        foreach (var command in commands)
            requests.WriteRequest(command.Split(' '));
        var file = Path.Combine(_folder, "appendonly.aof");
        await File.WriteAllBytesAsync(file, requests.Written.ToArray(), SourceServers.Cancellation);
        return await Run(SyncProcess.StartFile("aof", file, target.Uri), exitCode);
    }

    private static async Task<(string Process, JsonNode Record)> Run(ServiceProcess started, int exitCode)
    {
        await using var process = started;
        var (code, record) = await process.End().End(process);
        code.ShouldBe(exitCode, process.ToString());
        return (process.ToString(), record);
    }
}
