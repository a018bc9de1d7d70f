using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;
using RedisLatency.Server.Links;
using RedisLatency.Sync.Tests.Checkpoints;

namespace RedisLatency.Sync.Tests.Runs;

/// <summary>What a run does not have at its end, and so must not call valid.</summary>
public sealed class LossTests
{
    private const string Library = "#!lua name=ours\nredis.register_function('f', function() return 1 end)";

    private const string Many = "for i = 1, 5000 do redis.call('SET', 'key:' .. i, string.rep('x', 2000)) end";

    [Theory]
    [InlineData("was not read to its end", "sync")]
    [InlineData("Not all keys of", "scan", "--follow", "--on-existing", "rewrite")]
    public async Task Run_StoppedInTheDataSet_IsPartial_AndDoubtful(string doubt, params string[] verb)
    {
        await using var pair = await SyncPair.Start(
            source: ["--notify-keyspace-events", "AE", "--rdbcompression", "no"]);
        pair.From.Execute("EVAL", Many, "0");
        await using var process = SyncProcess.Start(
            verb[0], pair.Source.Uri, pair.Target.Uri, [.. verb[1..], "--rate", "500"]);
        await process.Until("some are there", () => KeyContents.CountIn(pair.To) > 0);

        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record["partial"]!.GetValue<bool>().ShouldBeTrue();
        record["verdict"]!.ToJsonString().ShouldContain(doubt);
        KeyContents.CountIn(pair.To).ShouldBeLessThan(5000);
    }

    [Fact]
    public async Task Source_ThatIsAwayAtTheEnd_IsSaid_AndTheStatusIsNotConsistent()
    {
        // Whose offset stays 0.
        await using var pair = await SyncPair.Start(source: ["--repl-ping-replica-period", "3600"]);
        await using var process = await pair.SyncFirst("--metrics", "http://127.0.0.1:0");
        var address = await process.MetricsAddress();
        await Eventually.Is("all is there", () => IsConsistent() && Ask("/readyz").StatusCode == HttpStatusCode.OK);

        await pair.Source.Kill();
        await Eventually.Is("it is missed", () => !IsConsistent());
        Ask("/readyz").StatusCode.ShouldBe(HttpStatusCode.ServiceUnavailable);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record["partial"]!.GetValue<bool>().ShouldBeTrue();
        record["verdict"]!.ToJsonString().ShouldContain("was not connected at the end");

        bool IsConsistent()
        {
            using var answer = Ask("/status");
            return JsonNode.Parse(answer.Content.ReadAsStream())!["consistent"]!.GetValue<bool>();
        }

        HttpResponseMessage Ask(string path)
        {
            using var client = new HttpClient();
            using var request = new HttpRequestMessage(HttpMethod.Get, new Uri(new Uri(address.ToString()), path));
            return client.Send(request, TestContext.Current.CancellationToken);
        }
    }

    [Fact]
    public async Task Replica_WhoseOwnPrimaryIsAway_IsSaid()
    {
        await using var pair = await SyncPair.Start();
        await using var replica = await RedisServerProcess.Start(
            arguments: ["--replicaof", "127.0.0.1", $"{pair.Source.Port}"]);
        using var from = SyncProcess.Open(replica.Uri);
        pair.From.Execute("SET", "first", "1");
        await Eventually.Is("it follows", () => from.Execute("EXISTS", "first").Number == 1);
        await using var process = SyncProcess.Start("sync", replica.Uri, pair.Target.Uri);
        await process.Until("the first key is there", () => pair.To.Execute("EXISTS", "first").Number == 1);

        await pair.Source.Kill();
        await Eventually.Is(
            "it is missed", () => from.Request("INFO", "replication").Text.Contains("master_link_status:down"));
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record["verdict"]!.ToJsonString().ShouldContain(", the primary of ");
    }

    [Fact]
    public async Task Source_ThatSendsItsPingSeldom_IsNotAway()
    {
        await using var pair = await SyncPair.Start(source: ["--repl-ping-replica-period", "60"]);
        await using var process = await pair.SyncFirst();

        await Task.Delay(TimeSpan.FromSeconds(27), TestContext.Current.CancellationToken);
        var (_, record) = await process.EndBy("INT").End(process);

        record.ToJsonString().ShouldNotContain("has sent nothing", Case.Sensitive, process.ToString());
    }

    [Theory]
    [InlineData(false, 0, "could not be asked at the end how far it is")]
    [InlineData(true, 0, "bytes ahead of what was read when the run was stopped")]
    [InlineData(false, 26, "could not be asked at the end how far it is")]
    public async Task Source_WhoseLinkIsSilent_IsSaid(bool answersOthers, int seconds, string text)
    {
        await using var pair = await SyncPair.Start();
        var isSilent = false;
        using var link = AlteredReplies.Of(
            pair.Source,
            reply => Volatile.Read(ref isSilent) && (!answersOthers || reply.Contains("unheard")) ? string.Empty : reply);
        await using var process = SyncProcess.Start(
            "sync", link.Uri, pair.Target.Uri, "--metrics", "http://127.0.0.1:0");
        var ready = new Uri(new Uri((await process.MetricsAddress()).ToString()), "/readyz");
        using var client = new HttpClient();
        await process.Until("all is read", () => client.GetAsync(ready).GetAwaiter().GetResult().IsSuccessStatusCode);

        Volatile.Write(ref isSilent, true);
        pair.From.Execute("SET", "unheard", new string('x', 1000));
        await Task.Delay(TimeSpan.FromSeconds(seconds), TestContext.Current.CancellationToken);
        using var answer = await client.GetAsync(ready, TestContext.Current.CancellationToken);
        answer.IsSuccessStatusCode.ShouldBe(seconds == 0);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record["verdict"]!.ToJsonString().ShouldContain(text);
    }

    [Fact]
    public async Task What_WasWrittenBeforeTheRunIsStopped_ComesOver_OfASourceThatIsFar()
    {
        await using var pair = await SyncPair.Start();
        var port = FreePort.Next();
        using var link = TcpLink.Start(port, pair.Source, back: new LinkSettings { Delay = TimeSpan.FromSeconds(1) });
        await using var process = SyncProcess.Start("sync", $"redis://127.0.0.1:{port}", pair.Target.Uri);
        pair.From.Execute("SET", "first", "1");
        await process.Until("the first key is there", () => pair.To.Execute("EXISTS", "first").Number == 1);

        pair.From.Execute("SET", "last", "1");
        var (code, record) = await process.EndBy("INT").End(process);

        pair.To.Execute("EXISTS", "last").Number.ShouldBe(1);
        code.ShouldBe(130, process.ToString());
        record["verdict"]!["status"]!.GetValue<string>().ShouldBe("Valid", process.ToString());
    }

    [Theory]
    [InlineData("FLUSHALL", "was emptied, or its databases swapped, by another client (FLUSHALL)")]
    [InlineData("SWAPDB 0 1", "by another client (SWAPDB)")]
    [InlineData("REPLICAOF", " was a replica meanwhile: what it had acknowledged before may be gone")]
    [InlineData("SHUTDOWN", "does not answer at the end")]
    public async Task Target_ThatLosesWhatItHad_EndsTheRun(string change, string text)
    {
        // Each PING is a position that is saved: at the end, at a target that is gone.
        await using var pair = await SyncPair.Start(source: ["--repl-ping-replica-period", "3600"]);
        await using var other = await RedisServerProcess.Start();
        await using var process = await pair.SyncFirst();
        await process.Until("nothing waits", () => HeldCheckpoint.HasPosition(pair));

        if (change == "SHUTDOWN")
        {
            await pair.Target.Kill();
        }
        else if (change == "REPLICAOF")
        {
            // While it is one, nobody looks.
            process.Signal("STOP");
            pair.To.Execute("REPLICAOF", "127.0.0.1", $"{other.Port}");
            await Eventually.Is("all is gone", () => KeyContents.CountIn(pair.To) == 0);
            pair.To.Execute("REPLICAOF", "NO", "ONE");
            process.Signal("CONT");
        }
        else
        {
            pair.To.Execute(change.Split(' '));
        }

        (await (change == "SHUTDOWN" ? process.EndBy("INT") : process.End())).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain(text);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Target_ThatRefusedFlushDb_CarriesItOutOnce(bool inTransaction)
    {
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst("--connections", "1");
        pair.To.Execute("CONFIG", "SET", "maxmemory", "1");
        pair.To.Execute("CLIENT", "PAUSE", "500", "ALL");

        pair.From.Execute("SET", "x", "1");
        string[][] flush = inTransaction ? [["MULTI"], ["FLUSHDB"], ["DEL", "x"], ["EXEC"]] : [["FLUSHDB"]];
        foreach (var command in flush)
            pair.From.Execute(command);
        await process.Until(
            "it was refused", () => pair.To.Request("INFO", "errorstats").Text.Contains("errorstat_OOM"));
        pair.To.Execute("CONFIG", "SET", "maxmemory", "0");
        pair.From.Execute("SET", "last", "1");
        await process.Until("all is there", () => pair.To.Execute("EXISTS", "last").Number == 1);
        var (_, record) = await process.EndBy("INT").End(process);

        pair.To.Request("INFO", "commandstats").Text.ShouldContain("flushdb:calls=1,");
        record["verdict"]!.ToJsonString().ShouldNotContain("another client");
    }

    [Fact]
    public async Task Shards_ThatAreFlushed_OrLoadFunctions_LeaveTheOthersKeys()
    {
        await using var source = await Ends.Start(isCluster: true);
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);
        await using var process = await StartSync(source, to);

        foreach (var server in source.Servers)
            Execute(server, "FUNCTION", "LOAD", Library);
        Execute(source.Servers[1], "FUNCTION", "DELETE", "ours");
        RestoreFunctions(source.Servers[1], of: source.Servers[2]);
        Execute(source.Servers[2], "FUNCTION", "FLUSH");
        Execute(source.Servers[0], "FLUSHALL");
        foreach (var server in source.Servers)
        {
            var last = Enumerable.Range(0, 1000).Select(i => $"last:{i}").First(
                key => source.Cluster!.PrimaryOf(KeySlot.Of(Encoding.ASCII.GetBytes(key))) == server);
            source.Execute(last, "SET", last, "1");
            await process.Until("the last is there", () => to.Execute("EXISTS", last).Number == 1);
        }

        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(4, process.ToString());
        KeyContents.CountIn(to).ShouldBe(303);
        to.Execute("FCALL", "f", "0").Number.ShouldBe(1);
        var verdict = record["verdict"]!.ToJsonString();
        verdict.ShouldContain("one server of the cluster was emptied, and the target not");
        verdict.ShouldContain("(2): one server of the cluster deleted functions, and the target keeps them");
    }

    [Fact]
    public async Task Keys_OfASlotWhoseMoveIsTakenBack_EndTheRun()
    {
        await using var source = await Ends.Start(isCluster: true);
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);
        await using var process = await StartSync(source, to);

        source.Execute("a", "SET", "a", "1");
        using (var move = MovingSlot.Begin(source.Cluster!, "a"u8))
        {
            move.From.Execute("MIGRATE", "127.0.0.1", $"{move.To.Endpoint.Port}", "a", "0", "5000").Text.ShouldBe("OK");
            move.From.Execute("CLUSTER", "SETSLOT", $"{move.Slot}", "STABLE");
            move.To.Execute("ASKING");
            move.To.Execute("MIGRATE", "127.0.0.1", $"{move.From.Endpoint.Port}", "a", "0", "5000").Text.ShouldBe("OK");
            move.To.Execute("CLUSTER", "SETSLOT", $"{move.Slot}", "STABLE");
        }

        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("Slots of the source moved");
        await using var again = SyncProcess.Start("sync", source.Uri, $"redis://{to.Endpoint.Address}");
        (await again.End()).ShouldBe(5, again.ToString());
        again.Errors.ToString().ShouldContain("is not exact any more");
    }

    [Fact]
    public async Task Slots_OfTheSource_ThatMoveAwayAndBack_EndTheRun()
    {
        await using var source = await Ends.Start(isCluster: true);
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);
        await using var process = await StartSync(source, to);

        var cluster = source.Cluster!;
        await cluster.MigrateSlots(cluster.PrimaryOf(0), cluster.PrimaryOf(16383), 0, 0);
        await cluster.MigrateSlots(cluster.PrimaryOf(0), cluster.PrimaryOf(1), 0, 0);

        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("Slots of the source moved");
    }

    // Epochs rise then, too; there and back again, at a server that has the slots as before.
    [Fact]
    public async Task Shard_OfTheSource_ThatFailsOver_IsFollowed()
    {
        await using var cluster = await RedisClusterProcesses.Start(
            new RedisClusterOptions { Primaries = 3, ReplicasPerPrimary = 1, Arguments = KeyContents.Debuggable });
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);
        Execute(cluster.PrimaryOf(0), "SET", "{06S}", "1").ShouldBe("OK");
        await using var process = SyncProcess.Start("sync", cluster.Uri, target.Uri);
        await process.Until("the data set is there", () => KeyContents.CountIn(to) == 1);

        for (var i = 0; i < 2; i++)
        {
            var replica = cluster.ReplicasOf(cluster.PrimaryOf(0))[0];
            Execute(replica, "CLUSTER", "FAILOVER").ShouldBe("OK");
            await Eventually.Is("it is the primary", () => cluster.PrimaryOf(0) == replica);
            // A key of its shard; the slots are looked at more than once meanwhile.
            Execute(replica, "SET", $"{{06S}}{i}", "1").ShouldBe("OK");
            await process.Until("it is there", () => to.Execute("EXISTS", $"{{06S}}{i}").Number == 1);
            var looks = Looks(replica);
            await process.Until("its slots were looked at again", () => Looks(replica) >= looks + 3);
        }

        (await process.EndBy("INT")).ShouldBe(130, process.ToString());
    }

    // With the data set at the target.
    private static async Task<ServiceProcess> StartSync(Ends source, RedisConnection to)
    {
        source.Write();
        var process = SyncProcess.Start("sync", source.Uri, $"redis://{to.Endpoint.Address}");
        await process.Until("it is told how far it is", () => HeldCheckpoint.HeadsIn(to) == source.Servers.Count);
        return process;
    }

    private static void RestoreFunctions(RedisServerProcess server, RedisServerProcess of)
    {
        using var other = SyncProcess.Open(of.Uri);
        using var pipeline = RedisPipeline.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        var request = new RespWriter();
        request.WriteArrayHeader(3);
        request.WriteBulkString("FUNCTION");
        request.WriteBulkString("RESTORE");
        request.WriteBulkString(other.Execute("FUNCTION", "DUMP").Content);
        pipeline.Send(request.Written);
        pipeline.Await("FUNCTION RESTORE").IsError.ShouldBeFalse();
    }

    // How often it was asked which slots it has.
    private static long Looks(RedisServerProcess server)
    {
        var counts = ServerFacts.FieldsOf(Execute(server, "INFO", "commandstats"));
        return counts.TryGetValue("cmdstat_cluster|nodes", out var count)
            ? long.Parse(count.Split('=', ',')[1], CultureInfo.InvariantCulture)
            : 0;
    }

    private static string Execute(RedisServerProcess server, params string[] words)
    {
        using var connection = SyncProcess.Open(server.Uri);
        return connection.Execute(words).Text;
    }
}
