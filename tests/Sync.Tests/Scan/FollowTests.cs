using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Scan;

/// <summary>A scan that goes on with what keyspace notifications tell.</summary>
public class FollowTests
{
    private static readonly string[] Notifying = ["--notify-keyspace-events", "AE", .. KeyContents.Debuggable];

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Scan_ThatFollows_CarriesOverWhateverBecomesOfAKey()
    {
        await using var source = await RedisServerProcess.Start(arguments: Notifying);
        await using var target = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        using var writer = SyncProcess.Open(source.Uri);
        KeyContents.Write(writer);

        await using var process = Follow(source, target);
        // Some while it scans, some later.
        for (var i = 0; i < 40; i++)
        {
            var number = i.ToString(CultureInfo.InvariantCulture);
            writer.Execute("APPEND", $"string:{number}", "!");
            writer.Execute("RENAME", $"list:{number}", $"renamed:{number}");
            writer.Execute("DEL", $"hash:{number}");
            writer.Execute("MOVE", $"set:{number}", "3");
            writer.Execute("PEXPIRE", $"zset:{number}", "300");
            if (i == 20)
                await Eventually.Is("the first are there", () => KeyContents.Of(target).ContainsKey("0/renamed:20"));
        }

        await Eventually.Is("the expired are gone", () => !KeyContents.Of(source).ContainsKey("0/zset:39"));
        writer.Execute("CONFIG", "SET", "maxmemory-policy", "allkeys-random");
        writer.Execute("CONFIG", "SET", "maxmemory", "1");
        await Eventually.Is("everything is evicted", () => KeyContents.CountOf(source) == 0);
        await Eventually.Is("nothing is left at the target", () => KeyContents.CountOf(target) == 0);
        writer.Execute("CONFIG", "SET", "maxmemory", "0");
        writer.Execute("SELECT", "2");
        writer.Execute("SET", "last", "\u0001");
        await Eventually.Is("the last is there", () => KeyContents.Of(target).ContainsKey("2/last"));

        KeyContents.Of(target).ShouldBe(KeyContents.Of(source));
        var (code, record) = await process.EndBy("INT").End(process);
        code.ShouldBe(130, process.ToString());
        record.Synced("skipped").ShouldBe(0);
    }

    /// <summary>Each database is empty before, so that one that was looked for too early is passed over.</summary>
    [Fact]
    public async Task Scan_ThatFollows_HasWhatIsWrittenWhileItBegins()
    {
        await using var source = await RedisServerProcess.Start(
            arguments: [.. Notifying, "--databases", "200"]);
        await using var target = await RedisServerProcess.Start(
            arguments: [.. KeyContents.Debuggable, "--databases", "200"]);
        using var writer = SyncProcess.Open(source.Uri);
        using var reader = SyncProcess.Open(target.Uri);

        await using var process = Follow(source, target);
        for (var i = 0; i < 200; i++)
        {
            writer.Execute("SELECT", i.ToString(CultureInfo.InvariantCulture));
            writer.Execute("SET", "k", "v");
            await Task.Delay(4, TestContext.Current.CancellationToken);
        }

        await process.Until("all are there", () => DatabasesOf(reader) == 200);

        (await process.EndBy("INT")).ShouldBe(130, process.ToString());

        static int DatabasesOf(RedisLatency.Redis.Connections.RedisConnection server) =>
            server.Execute("INFO", "keyspace").Text.Split(":keys=1").Length - 1;
    }

    [Fact]
    public async Task Scan_ThatMissesChanges_EndsAndSaysSo()
    {
        await using var source = await RedisServerProcess.Start(arguments: Notifying);
        await using var target = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        using var writer = SyncProcess.Open(source.Uri);
        KeyContents.Write(writer);

        await using var process = Follow(source, target);
        await Eventually.Is("the scan is over", () => KeyContents.CountOf(target) == 300);
        writer.Execute("CLIENT", "KILL", "TYPE", "pubsub");

        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("may have been missed: notifications were lost");
        process.Errors.ToString().ShouldContain("To begin anew: the same with --empty-destination.");
    }

    [Fact]
    public async Task Scan_ThatIsStopped_CarriesOverWhatWaits_AndIsNotReadyMeanwhile()
    {
        await using var pair = await SyncPair.Start(source: Notifying);
        var port = FreePort.Next();
        using var client = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}/") };
        await using var process = await FollowFirst(pair, "--rate", "1000", "--metrics", client.BaseAddress.ToString());

        pair.From.Execute("EVAL", "for i = 1, 6000 do redis.call('SET', 'k' .. i, i) end redis.call('DEL', 'first')", "0");
        HttpStatusCode? ready = null;
        JsonNode? status = null;
        await process.Until("keys wait for a while", () =>
        {
            status = JsonNode.Parse(client.GetStringAsync("status", Cancellation).GetAwaiter().GetResult());
            ready = client.GetAsync("readyz", Cancellation).GetAwaiter().GetResult().StatusCode;
            return ready != HttpStatusCode.OK;
        });
        var (code, record) = await process.EndBy("INT").End(process);

        ready.ShouldBe(HttpStatusCode.ServiceUnavailable);
        status!["reader"]!["scan_finished"]!.GetValue<bool>().ShouldBeTrue();
        status!["lag_ms"]!.GetValue<double>().ShouldBeGreaterThan(0);
        status["consistent"]!.GetValue<bool>().ShouldBeFalse();
        code.ShouldBe(130, process.ToString());
        record["partial"]!.GetValue<bool>().ShouldBeFalse();
        KeyContents.Of(pair.Target).ShouldBe(KeyContents.Of(pair.Source));
    }

    [Fact]
    public async Task Scan_WhoseSourceGoesAwayWhileItIsStopped_SaysWhatWasLeftBehind()
    {
        await using var pair = await SyncPair.Start(source: Notifying);
        await using var process = await FollowFirst(pair, "--rate", "1000", "--reconnect-timeout", "600s");
        pair.From.Execute("EVAL", "for i = 1, 20000 do redis.call('SET', 'k' .. i, i) end", "0");
        await process.Until("some are there", () => KeyContents.CountIn(pair.To) > 10);

        var ended = process.EndBy("INT");
        await process.Until("it is told", () => process.Errors.ToString().Contains("drain", StringComparison.Ordinal));
        await pair.Source.Kill();
        var (_, record) = await ended.End(process);

        record["partial"]!.GetValue<bool>().ShouldBeTrue(process.ToString());
        record["verdict"]!.ToJsonString().ShouldContain("were not carried over");
    }

    [Theory]
    [InlineData("FLUSHDB")]
    [InlineData("FLUSHALL")]
    [InlineData("SWAPDB", "0", "1")]
    public async Task Scan_ThatIsNotNotified_OfWhatIsFlushed_Ends(params string[] flush)
    {
        await using var pair = await SyncPair.Start(source: Notifying);
        await using var process = await FollowFirst(pair);

        pair.From.Execute(flush);

        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain($"may have been missed: it carried out {flush[0]}");
    }

    // At the end of the run, too.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Scan_WhoseSourceResetsItsCounts_Ends(bool isStopped)
    {
        await using var pair = await SyncPair.Start(source: Notifying);
        await using var process = await FollowFirst(pair);

        pair.From.Execute("MULTI");
        pair.From.Execute("FLUSHDB");
        pair.From.Execute("CONFIG", "RESETSTAT");
        pair.From.Execute("EXEC");

        (await (isStopped ? process.EndBy("INT") : process.End())).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("CONFIG RESETSTAT");
    }

    [Fact]
    public async Task Scan_WhoseSourceMayHaveBeenSilentBetweenTwoLooks_IsDoubtful()
    {
        await using var pair = await SyncPair.Start(source: Notifying);
        await using var process = await FollowFirst(pair);

        pair.From.Execute("MULTI");
        pair.From.Execute("CONFIG", "SET", "notify-keyspace-events", string.Empty);
        pair.From.Execute("DEL", "first");
        pair.From.Execute("CONFIG", "SET", "notify-keyspace-events", "AE");
        pair.From.Execute("EXEC");
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record["verdict"]!["status"]!.GetValue<string>().ShouldBe("doubtful", StringCompareShould.IgnoreCase);
        record["verdict"]!.ToJsonString().ShouldContain("carried out CONFIG SET");
        record["partial"]!.GetValue<bool>().ShouldBeFalse();
    }

    [Fact]
    public async Task Scan_WhoseSourceNotifiesNoMore_Ends()
    {
        await using var pair = await SyncPair.Start(source: Notifying);
        await using var process = await FollowFirst(pair);

        pair.From.Execute("CONFIG", "SET", "notify-keyspace-events", string.Empty);

        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("type there: CONFIG SET notify-keyspace-events AE");
    }

    [Theory]
    [InlineData("REPLICAOF", "127.0.0.1", "other")]
    [InlineData("REPLICAOF", "NO", "ONE")]
    [InlineData("CLIENT", "KILL", "TYPE", "master")]
    public async Task Scan_OfAReplica_Ends_WhereThatTakesAnotherDataSet(params string[] command)
    {
        string[] arguments = [.. Notifying, "--repl-diskless-sync-delay", "0"];
        await using var primary = await RedisServerProcess.Start(arguments: arguments);
        await using var other = await RedisServerProcess.Start(arguments: arguments);
        await using var target = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        await using var source = await RedisServerProcess.Start(
            arguments: [.. arguments, "--replicaof", "127.0.0.1", PortOf(primary)]);
        using var writer = SyncProcess.Open(primary.Uri);
        using var replica = SyncProcess.Open(source.Uri);
        writer.Execute("MSET", "a", "1", "b", "1");
        using var elsewhere = SyncProcess.Open(other.Uri);
        elsewhere.Execute("MSET", "c", "1", "d", "1");
        await Eventually.Is("the replica has all", () => KeyContents.CountOf(source) == 2);
        await using var process = Follow(source, target);
        await process.Until("the scan is over", () => KeyContents.CountOf(target) == 2);

        replica.Execute([.. command.Select(word => word == "other" ? PortOf(other) : word)]);
        if (command[^1] == "ONE")
        {
            replica.Execute("SET", "gone", "1");
            await process.Until("it is there", () => KeyContents.Of(target).ContainsKey("0/gone"));
            replica.Execute("REPLICAOF", "127.0.0.1", PortOf(primary));
        }

        if (command[0] == "REPLICAOF")
        {
            (await process.End()).ShouldBe(5, process.ToString());
            process.Errors.ToString().ShouldContain("another data set from its primary");
            return;
        }

        await Eventually.Is("the link is up", () => replica.Execute("INFO", "replication").Text.Contains(
            "master_link_status:up", StringComparison.Ordinal));
        writer.Execute("SET", "e", "1");
        await process.Until("the last is there", () => KeyContents.Of(target).ContainsKey("0/e"));
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());

        static string PortOf(RedisServerProcess server) => server.Port.ToString(CultureInfo.InvariantCulture);
    }

    [Fact]
    public async Task Scan_OfAReplicaThatLoadsAnotherDataSet_Ends()
    {
        string[] slow = ["--key-load-delay", "5000", "--loading-process-events-interval-bytes", "1024"];
        await using var other = await RedisServerProcess.Start(
            arguments: [.. Notifying, "--repl-diskless-sync-delay", "0"]);
        await using var source = await RedisServerProcess.Start(arguments: [.. Notifying, .. slow]);
        await using var target = await RedisServerProcess.Start();
        using var elsewhere = SyncProcess.Open(other.Uri);
        using var replica = SyncProcess.Open(source.Uri);
        using var reader = SyncProcess.Open(target.Uri);
        elsewhere.Execute("DEBUG", "POPULATE", "200", "other", "1000");
        replica.Execute("DEBUG", "POPULATE", "600", "own", "1000");
        await using var process = Follow(source, target, "--rate", "200", "--count", "10");
        await process.Until("some are there", () => KeyContents.CountIn(reader) > 50);

        replica.Execute("REPLICAOF", "127.0.0.1", other.Port.ToString(CultureInfo.InvariantCulture));

        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("another data set from its primary");
    }

    [Fact]
    public async Task Scan_ThatMayNotAskWhetherItIsNotified_EndsOnceSettingsChange()
    {
        await using var source = await RedisServerProcess.Start(arguments: Notifying);
        await using var target = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        using var writer = SyncProcess.Open(source.Uri);
        writer.Execute("SET", "a", "1");
        writer.Execute("ACL", "SETUSER", "follower", "on", ">secret", "~*", "&*", "+@all", "-config|get");
        await using var process = SyncProcess.Start(
            "scan", source.Uri.Replace("//", "//follower:secret@", StringComparison.Ordinal), target.Uri,
            "--follow", "--on-existing", "rewrite");
        await process.Until("the scan is over", () => KeyContents.CountOf(target) == 1);

        writer.Execute("CONFIG", "SET", "hz", "20");

        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("it carried out CONFIG SET");
    }

    [Theory]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public async Task Scan_ThatFollows_WithClusters_FollowsEachShard(bool fromCluster, bool toCluster)
    {
        await using var source = await Ends.Start(fromCluster);
        await using var target = await Ends.Start(toCluster);
        source.Write();
        var refusal = await SyncProcess.Refusal(
            "scan", source.Uri, target.Uri, 3, "--follow", "--on-existing", "rewrite");
        refusal.ShouldContain("Type there: CONFIG SET notify-keyspace-events AE");
        foreach (var server in source.Servers)
        {
            using var connection = SyncProcess.Open(server.Uri);
            connection.Execute("CONFIG", "SET", "notify-keyspace-events", "AE");
        }

        await using var process = SyncProcess.Start(
            "scan", source.Uri, target.Uri, "--follow", "--on-existing", "rewrite");
        await Eventually.Is("the scan is over", () => target.Contents().Count == 300);
        for (var i = 0; i < 100; i++)
            source.Execute($"key:{i}", "RPUSH", $"key:{i}", "a", "b");
        var first = fromCluster ? "{7}string:0" : "string:0";
        source.Execute(first, "DEL", first);
        source.Execute("last", "SET", "last", "1");
        await Eventually.Is("the last is there", () => target.Contents().ContainsKey("0/last"));
        await Eventually.Is("both are equal", () => target.Contents().SequenceEqual(source.Contents()));
        (await process.EndBy("INT").End(process)).ExitCode.ShouldBe(130, process.ToString());
    }

    private static async Task<ServiceProcess> FollowFirst(SyncPair pair, params string[] arguments)
    {
        pair.From.Execute("SET", "first", "1");
        var process = Follow(pair.Source, pair.Target, arguments);
        await process.Until("the scan is over", () => KeyContents.CountIn(pair.To) == 1);
        return process;
    }

    private static ServiceProcess Follow(
        RedisServerProcess source, RedisServerProcess target, params string[] arguments) => SyncProcess.Start(
        "scan", source.Uri, target.Uri, ["--follow", "--on-existing", "rewrite", .. arguments]);
}
