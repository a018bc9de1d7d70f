using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Hosting.Options;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.EventLoops;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Topology;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Sync;
using RedisLatency.Replication.Targets;
using RedisLatency.Replication.Tests.Probe;
using RedisLatency.Server.Links;

namespace RedisLatency.Replication.Tests.Sync;

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
        await using var source = await Start("--notify-keyspace-events", "AE", "--rdbcompression", "no");
        await using var target = await Start();
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("EVAL", Many, "0");
        await using var process = SyncProcess.Start(verb[0], source.Uri, target.Uri, [.. verb[1..], "--rate", "500"]);
        await process.Until("some are there", () => to.Execute("DBSIZE").Number > 0);

        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record["partial"]!.GetValue<bool>().ShouldBeTrue();
        record["verdict"]!.ToJsonString().ShouldContain(doubt);
        to.Execute("DBSIZE").Number.ShouldBeLessThan(5000);
    }

    [Fact]
    public async Task Scan_CutWithinAPage_FindsItsOwnKeysAtTheTarget()
    {
        await using var source = await Start("--rdbcompression", "no");
        await using var target = await Start();
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("EVAL", Many, "0");
        var port = FreePort.Next();
        var link = Link(port, source, new LinkWay { Rate = 3_000_000 });
        await using var process = SyncProcess.Start(
            "scan", $"redis://127.0.0.1:{port}", target.Uri, "--count", "5000");
        await process.Until("some are there", () => to.Execute("DBSIZE").Number > 0);

        link.Dispose();
        using var restored = Link(port, source, new LinkWay());
        (await process.End()).ShouldBe(0, process.ToString());

        KeyContents.Of(target).ShouldBe(KeyContents.Of(source));
    }

    [Fact]
    public async Task Key_InItsLastMillisecond_DoesNotStayForEver()
    {
        await using var source = await Start();
        await using var target = await Start();
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("SET", "key", "1", "EX", "1000");
        using var old = AlteredReplies.Of(source, text => Regex.Replace(
            text.Replace("redis_version:7.0", "redis_version:6.2", StringComparison.Ordinal),
            @"^:(999\d\d\d|1000000)\r$", ":0\r", RegexOptions.Multiline));

        await SyncProcess.Run("scan", old.Uri, target.Uri);

        using var to = SyncProcess.Open(target.Uri);
        to.Execute("PTTL", "key").Number.ShouldBe(-2);
    }

    [Fact]
    public async Task Source_ThatIsAwayAtTheEnd_IsSaid_AndTheStatusIsNotConsistent()
    {
        await using var source = await Start();
        await using var target = await Start();
        using var to = SyncProcess.Open(target.Uri);
        using (var from = SyncProcess.Open(source.Uri))
            from.Execute("SET", "first", "1");
        await using var process = SyncProcess.Start(
            "sync", source.Uri, target.Uri, "--metrics", "http://127.0.0.1:0");
        var address = await process.MetricsAddress();
        await process.Until("it is there", () => to.Execute("EXISTS", "first").Number == 1);
        await Eventually.Is("all is there", () => IsConsistent() && Ask("/readyz").StatusCode == HttpStatusCode.OK);

        await source.Kill();
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

    [Theory]
    [InlineData("FLUSHALL", 4, "Another client emptied the target")]
    [InlineData("CONFIG RESETSTAT", 130, "were reset meanwhile")]
    [InlineData("REPLICAOF", 4, "was a replica meanwhile")]
    [InlineData("SHUTDOWN", 4, "does not answer at the end")]
    public async Task Target_ThatLosesWhatItHad_IsSaidAtTheEnd(string change, int exitCode, string text)
    {
        await using var source = await Start();
        await using var target = await Start();
        await using var other = await Start();
        using var to = SyncProcess.Open(target.Uri);
        using (var from = SyncProcess.Open(source.Uri))
            from.Execute("SET", "first", "1");
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await process.Until("it is there", () => to.Execute("EXISTS", "first").Number == 1);

        if (change == "SHUTDOWN")
        {
            await target.Kill();
        }
        else if (change == "REPLICAOF")
        {
            to.Execute("REPLICAOF", "127.0.0.1", $"{other.Port}");
            await Eventually.Is("all is gone", () => to.Execute("DBSIZE").Number == 0);
            to.Execute("REPLICAOF", "NO", "ONE");
        }
        else
        {
            to.Execute(change.Split(' '));
        }

        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(exitCode, process.ToString());
        record["verdict"]!.ToJsonString().ShouldContain(text);
    }

    [Fact]
    public async Task Shards_ThatAreFlushed_LoadFunctions_OrMoveSlots_LeaveTheOthersKeys()
    {
        ScanTests.Require("redis-server");
        await using var source = await Ends.Start(isCluster: true);
        await using var target = await Start();
        using var to = SyncProcess.Open(target.Uri);
        source.Write();
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await process.Until("the data set is there", () => to.Execute("DBSIZE").Number == 300);

        foreach (var server in source.Servers)
            Execute(server, "FUNCTION", "LOAD", Library);
        Execute(source.Servers[0], "FLUSHALL");
        var last = Enumerable.Range(0, 1000).Select(i => $"last:{i}").First(
            key => source.Cluster!.PrimaryOf(KeySlot.Of(Encoding.ASCII.GetBytes(key))) == source.Servers[0]);
        source.Execute(last, "SET", last, "1");
        await process.Until("the last is there", () => to.Execute("EXISTS", last).Number == 1);
        var other = Execute(source.Servers[1], "CLUSTER", "MYID");
        Execute(source.Servers[0], "CLUSTER", "SETSLOT", "0", "MIGRATING", other);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(4, process.ToString());
        to.Execute("DBSIZE").Number.ShouldBe(301);
        var verdict = record["verdict"]!.ToJsonString();
        verdict.ShouldContain("one server of the cluster was emptied, and the target not");
        verdict.ShouldContain("Slots of the source moved during the run");
    }

    [Fact]
    public async Task Writes_BehindOneThatIsTurnedAway_GoOnAtOnceWhenItPasses()
    {
        await using var source = await Start();
        await using var target = await Start();
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("SET", "first", "1");
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await process.Until("it is there", () => to.Execute("EXISTS", "first").Number == 1);
        to.Execute("CONFIG", "SET", "min-replicas-to-write", "1");
        from.Execute("EVAL", "for i = 1, 2000 do redis.call('INCR', 'n') end", "0");
        for (var i = 0; i < 2000; i++)
            from.Execute("INCR", "n");
        await Eventually.Is("they are refused", () => to.Request("INFO", "errorstats").Text.Contains("NOREPLICAS"));

        to.Execute("CONFIG", "SET", "min-replicas-to-write", "0");
        var since = TimeProvider.System.GetTimestamp();
        await process.Until("all are there", () => to.Execute("GET", "n").Text == "4000");

        // With a pause before each it took a minute.
        TimeProvider.System.GetElapsedTime(since).ShouldBeLessThan(TimeSpan.FromSeconds(20));
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());
    }

    [Fact]
    public async Task Target_ThatNeverAnswersAKey_EndsTheRun()
    {
        await using var source = await Start();
        await using var target = await Start();
        using (var from = SyncProcess.Open(source.Uri))
            from.Execute("SET", "key", "1");
        using var silent = AlteredReplies.Swallowing(target, "*4\r\n$7\r\nRESTORE\r\n");

        var said = await SyncProcess.Refusal(
            "sync", source.Uri, silent.Uri, 5, "--no-stream", "--reconnect-timeout", "1s");

        said.ShouldContain("does not answer: no reply for 1 s");
    }

    [Fact]
    public async Task Command_BehindAKeyWhoseAnswerWasLost_IsNotUndone()
    {
        await using var source = await Start();
        await using var target = await Start();
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("SET", "key", "old");
        var function = Path.Combine(source.Folder, "function.lua");
        await File.WriteAllTextAsync(
            function, "shake.call(DB, ARGV)\nshake.call(DB, {'SET', KEYS[1], 'new'})\n",
            TestContext.Current.CancellationToken);
        var port = FreePort.Next();
        var link = Link(port, target, new LinkWay { Delay = TimeSpan.FromMilliseconds(500) });
        await using var process = SyncProcess.Start(
            "sync", source.Uri, $"redis://127.0.0.1:{port}", "--no-stream", "--function", function);
        await process.Until("it is there", () => to.Execute("EXISTS", "key").Number == 1);

        link.Dispose();
        using var restored = Link(port, target, new LinkWay());
        (await process.End()).ShouldBe(0, process.ToString());

        to.Execute("GET", "key").Text.ShouldBe("new");
    }

    [Fact]
    public async Task LongValue_ThatIsThereAlready_StaysWhereItShall()
    {
        await using var source = await Start();
        await using var target = await Start();
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("EVAL", "for i = 1, 5000 do redis.call('RPUSH', KEYS[1], redis.sha1hex(i)) end", "1", "long");
        to.Execute("RPUSH", "long", "ours");
        string[] arguments = ["--no-stream", "--big-value", "1KiB", "--on-existing"];

        var record = await SyncProcess.Run("sync", source.Uri, target.Uri, 0, [.. arguments, "skip"]);

        to.Execute("LLEN", "long").Number.ShouldBe(1);
        record.Synced("skipped").ShouldBe(1);
        await SyncProcess.Run("sync", source.Uri, target.Uri, 0, [.. arguments, "rewrite", "--block-command", "DEL"]);
        to.Execute("LLEN", "long").Number.ShouldBe(5000);
    }

    [Fact]
    public async Task VeryLongValue_ThatIsCutOffOrTurnedAway_ComesWhole()
    {
        await using var source = await Start("--rdbcompression", "no");
        await using var target = await Start("--min-replicas-to-write", "1");
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute(
            "EVAL", "for i = 1, 2 do redis.call('SET', 'key:' .. i, string.rep('value' .. i, 3000000)) end", "0");
        var port = FreePort.Next();
        var link = Link(port, target, new LinkWay { Rate = 20_000_000 });
        await using var process = SyncProcess.Start("sync", source.Uri, $"redis://127.0.0.1:{port}", "--no-stream");
        await process.Until("it is refused", () => to.Request("INFO", "errorstats").Text.Contains("NOREPLICAS"));

        to.Execute("CONFIG", "SET", "min-replicas-to-write", "0");
        await process.Until("the second is on its way", () => to.Execute("DBSIZE").Number == 1);
        link.Dispose();
        using var restored = Link(port, target, new LinkWay());
        (await process.End()).ShouldBe(0, process.ToString());

        KeyContents.Of(target).ShouldBe(KeyContents.Of(source));
    }

    [Fact]
    public async Task Copy_ToAnotherDatabase_IsSeen_WhereverItSaysSo()
    {
        await using var target = await Start();

        var counts = GivenSync.Run(
            target.Uri, new MiddlePlan { Databases = new Dictionary<int, int> { [1] = 2 } }, 1,
            "SET a 1", "COPY a b REPLACE DB 1", "COPY a c DB 1 REPLACE", "COPY a db");

        (counts.Skipped, counts.Written).ShouldBe((2, 2));
    }

    [Fact]
    public async Task Request_OverTls_IsSentToItsEnd_WhereTheKernelTakesAPart()
    {
        using var authority = new TestAuthority();
        var (certificate, key) = authority.Sign("cache.example");
        var port = FreePort.Next();
        await using var target = await Start(
            "--tls-port", $"{port}", "--tls-cert-file", certificate, "--tls-key-file", key, "--tls-ca-cert-file",
            authority.CaFile, "--tls-auth-clients", "no");
        var plain = RedisEndpoint.Parse($"rediss://127.0.0.1:{port}");
        var endpoint = plain with { Tls = plain.Tls with { CaFile = authority.CaFile } };
        var options = Patience.Connection;
        using var poller = ReadinessPoller.Create();
        var taken = RedisConnection.Open(endpoint, options).Take();
        taken.Socket.SendBufferSize = 4096;
        using var socket = new LaneSocket(taken, poller);
        var flight = new LaneFlight(
            new LaneRules
            {
                Target = new(endpoint, options, DriverKind.Raw),
                Format = new RdbFormat(false, 10),
                Table = new CommandTable(),
                Events = new SessionEvents(),
            },
            () => new LaneChunk(),
            _ => { });
        var chunk = new LaneChunk();
        chunk.Requests.WriteRequest("SET", "key", new string('x', 240_000));
        chunk.Add(new SentUnit { Length = chunk.Requests.Length, Replies = 1 });
        flight.Append(chunk);

        using var to = SyncProcess.Open(target.Uri);
        var turns = 0;
        await Eventually.Is("it is there", () =>
        {
            if (!flight.SendTo(socket))
                turns++;
            return to.Execute("EXISTS", "key").Number == 1;
        });

        turns.ShouldBeGreaterThan(0);
        to.Execute("STRLEN", "key").Number.ShouldBe(240_000);
    }

    private static Task<RedisServerProcess> Start(params string[] arguments)
    {
        ScanTests.Require("redis-server");
        return RedisServerProcess.Start(arguments: [.. KeyContents.Debuggable, .. arguments]);
    }

    private static string Execute(RedisServerProcess server, params string[] words)
    {
        using var connection = SyncProcess.Open(server.Uri);
        return connection.Execute(words).Text;
    }

    private static WanLink Link(int port, RedisServerProcess to, LinkWay way)
    {
        var route = new LinkRoute(
            LinkProtocol.Tcp, new IPEndPoint(IPAddress.Loopback, port), new IPEndPoint(IPAddress.Loopback, to.Port));
        return WanLink.Start(new WanLinkOptions
        {
            Routes = [route],
            MaxBuffered = 64 << 10,
            Profile = new LinkProfile { Forward = new LinkWay { Rate = way.Rate }, Back = way },
        });
    }
}
