using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Tests.Checkpoints;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Servers;

/// <summary>Ends behind Sentinels that name another primary; in most the old one lives on as one.</summary>
public class SentinelEndTests
{
    private static readonly string[] Follow = ["--follow", "--on-existing", "rewrite"];

    [Fact]
    public async Task Sync_BetweenSentinels_FollowsBothPrimaries()
    {
        await using var source = await SentinelProcesses.Start(new() { Sentinels = 1 });
        await using var target = await SentinelProcesses.Start(new() { Sentinels = 1 });
        Execute(source, 0, "SET", "one", "1");
        await using var first = SyncProcess.Start("sync", source.Uri(), target.Uri());
        await first.Until("its replica has how far it is", () =>
        {
            using var replica = target.OpenServer(target.Servers[1]);
            return HeldCheckpoint.FieldIn(replica) is not null;
        });

        await target.Failover(target.Sentinels[0]);
        await Eventually.Is("it is the primary", () => Execute(target, 1, "ROLE") == "master");
        // Until it has heard of it, the old one takes what is written, and keeps nothing of it.
        await Eventually.Is("the run has ended", () => Execute(source, 0, "SET", "two", "2") == "OK" && first.HasExited);
        (await first.End()).ShouldBe(5, first.ToString());
        first.Errors.ToString().ShouldContain("took the place of");
        first.Errors.ToString().ShouldContain("The same command goes on, from offset ");
        await using var process = SyncProcess.Start("sync", source.Uri(), target.Uri());
        await process.Until("the second is there", () => Execute(target, 1, "GET", "two") == "2");
        await source.Failover(source.Sentinels[0]);
        await Eventually.Is("it is the primary", () => Execute(source, 1, "ROLE") == "master");
        Execute(source, 1, "SET", "three", "3");
        await process.Until("the third is there", () => Execute(target, 1, "GET", "three") == "3");

        Execute(target, 1, "EXISTS", "one", "two", "three").ShouldBe("3");
        var (code, record) = await process.EndBy("INT").End(process);
        code.ShouldBe(130, process.ToString());
        record.EventKinds().ShouldContain("resumed");
    }

    [Fact]
    public async Task Primary_ThatSentinelsReplace_WhileNothingIsWritten_EndsTheRun()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await SentinelProcesses.Start(new() { Sentinels = 1 });
        await using var process = await StartSync(source, target);

        await target.Failover(target.Sentinels[0]);

        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain(
            $"127.0.0.1:{target.Servers[1].Port} took the place of 127.0.0.1:{target.Servers[0].Port}");
    }

    [Fact]
    public async Task Target_WhoseSwitchWasNotHeardOf_EndsTheRun_OnceTheSentinelIsReachedAgain()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await SentinelProcesses.Start(new() { Sentinels = 1 });
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("SET", "one", "1");
        var port = FreePort.Next();
        var link = TcpLink.Start(port, target.Sentinels[0]);
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri(port));
        try
        {
            await process.Until("the data set is there", () => Execute(target, 0, "GET", "one") == "1");
            link.Dispose();
            await FailOver(target);
        }
        finally
        {
            link.Dispose();
        }

        using var again = TcpLink.Start(port, target.Sentinels[0]);
        await Eventually.Is("the run has ended", () => from.Execute("SET", "two", "2").Text == "OK" && process.HasExited);

        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("took the place of");
    }

    [Fact]
    public async Task Target_ThatSentinelsNoLongerName_IsSaidAtTheEnd()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await SentinelProcesses.Start(new() { Sentinels = 1 });
        await using var process = await StartSync(source, target);

        NameOther(target);

        (await process.EndBy("INT")).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain(Names(target, "wrote to"));
    }

    [Fact]
    public async Task Target_OfWhichNoSentinelTellsAtTheEnd_EndsTheRun()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await SentinelProcesses.Start(new() { Sentinels = 1 });
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("SET", "one", "1");
        var port = FreePort.Next();
        using var link = TcpLink.Start(port, target.Sentinels[0]);
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri(port));
        await process.Until("the data set is there", () => Execute(target, 0, "GET", "one") == "1");

        link.Dispose();

        (await process.EndBy("INT")).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("No Sentinel names a primary at the end");
    }

    [Theory]
    [InlineData("sync")]
    [InlineData("scan")]
    public async Task Source_ThatSentinelsNoLongerName_IsSaidAtTheEnd(string verb)
    {
        await using var source = await SentinelProcesses.Start(new() { Sentinels = 1 });
        await using var target = await RedisServerProcess.Start();
        Execute(source, 0, "CONFIG", "SET", "notify-keyspace-events", "AE");
        Execute(source, 0, "SET", "one", "1");
        using var to = SyncProcess.Open(target.Uri);
        await using var process = SyncProcess.Start(verb, source.Uri(), target.Uri, verb == "scan" ? Follow : []);
        await process.Until("the data set is there", () => to.Execute("GET", "one") is { IsNull: false });

        NameOther(source);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(4, process.ToString());
        record["verdict"]!.ToJsonString().ShouldContain(Names(source, "read"));
    }

    [Fact]
    public async Task Source_ThatWasReplacedAndLivesOn_IsLeftForTheNewPrimary()
    {
        await using var source = await SentinelProcesses.Start(new() { Sentinels = 1 });
        await using var target = await RedisServerProcess.Start();
        Execute(source, 0, "SET", "one", "1");
        using var to = SyncProcess.Open(target.Uri);
        await using var process = SyncProcess.Start("sync", source.Uri(), target.Uri);
        await process.Until("the data set is there", () => to.Execute("GET", "one") is { IsNull: false });

        await FailOver(source);
        Execute(source, 1, "SET", "two", "2");
        await process.Until("the second is there", () => to.Execute("GET", "two") is { IsNull: false });

        Execute(source, 0, "ROLE").ShouldBe("master");
        var (_, record) = await process.EndBy("INT").End(process);
        record["verdict"]!.ToJsonString().ShouldNotContain("Sentinels name", Case.Sensitive, process.ToString());
    }

    [Fact]
    public async Task Primary_OfTwoNames_IsOne()
    {
        await using var service = await SentinelProcesses.Start(new() { Sentinels = 1 });

        SentinelCheck.FindProblem(
            RedisEndpoint.Parse(service.Uri()), new RedisConnectionOptions(),
            RedisEndpoint.Parse($"redis://localhost:{service.Servers[0].Port}"), "read").ShouldBeNull();
    }

    // With the data set at the target.
    private static async Task<ServiceProcess> StartSync(RedisServerProcess source, SentinelProcesses target)
    {
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("SET", "one", "1");
        var process = SyncProcess.Start("sync", source.Uri, target.Uri());
        await process.Until("the data set is there", () => Execute(target, 0, "GET", "one") == "1");
        return process;
    }

    // The old primary refuses to become a replica.
    private static async Task FailOver(SentinelProcesses processes)
    {
        Execute(processes, 0, "ACL", "SETUSER", "default", "-slaveof", "-replicaof");
        await processes.Failover(processes.Sentinels[0]);
        await Eventually.Is("it is the primary", () => Execute(processes, 1, "ROLE") == "master");
    }

    // As operators do: nothing is announced, and no epoch rises.
    private static void NameOther(SentinelProcesses processes)
    {
        using var sentinel = processes.OpenSentinel(processes.Sentinels[0]);
        sentinel.Execute("SENTINEL", "REMOVE", "mymaster");
        Execute(processes, 1, "REPLICAOF", "NO", "ONE");
        sentinel.Execute("SENTINEL", "MONITOR", "mymaster", "127.0.0.1", $"{processes.Servers[1].Port}", "1");
    }

    private static string Names(SentinelProcesses processes, string deed) =>
        $"Sentinels name 127.0.0.1:{processes.Servers[1].Port} as the primary, and the run {deed} "
        + $"127.0.0.1:{processes.Servers[0].Port}: what one of them has the other may lack.";

    private static string Execute(SentinelProcesses processes, int server, params string[] words)
    {
        using var connection = processes.OpenServer(processes.Servers[server]);
        var reply = connection.Execute(words);
        return reply.Items.Count > 0 ? reply.Items[0].Text : reply.Text;
    }
}
