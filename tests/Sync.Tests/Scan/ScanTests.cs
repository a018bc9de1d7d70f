using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Server.Links;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Scan;

public class ScanTests
{
    // A server answers nothing of what it was sent at once before it has all of it: here twice as long as it may take.
    [Fact]
    public async Task Values_OfWhichAPageTakesTooLong_AreAskedForOneByOne()
    {
        await using var source = await RedisServerProcess.Start();
        using (var writer = SyncProcess.Open(source.Uri))
        {
            writer.Execute("EVAL", "for i = 1, 30000 do redis.call('HSET', '1', i, i) end", "0");
            for (var i = 2; i <= 100; i++)
                writer.Execute("COPY", "1", $"{i}");
        }

        await using var process = ServiceProcess.Start(
            "Sync", "scan", "--source", source.Uri, "--verify-only", "--command-timeout", "300ms", "--format", "json",
            "--live", "none");
        var (code, record) = await process.End().End(process);

        code.ShouldBe(0, process.ToString());
        record.Synced("keys").ShouldBe(100);
    }

    // Eight at a time would take half a minute.
    [Fact]
    public async Task Values_OfASourceThatIsFar_AreAskedForManyAtOnce()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("EVAL", "for i = 1, 1000 do redis.call('SET', i, i) end", "0");
        var port = FreePort.Next();
        using var link = TcpLink.Start(port, pair.Source, back: new LinkSettings { Delay = TimeSpan.FromMilliseconds(250) });

        var record = await SyncProcess.Run(
            "scan", $"redis://127.0.0.1:{port}", pair.Target.Uri, 0, "--count", "1000");

        record.Synced("keys").ShouldBe(1000);
        record["summaries"]![0]!["durationNs"]!.GetValue<long>().ShouldBeLessThan(15_000_000_000);
    }

    [Theory]
    [InlineData("redis-server", "redis-server")]
    [InlineData("redis-server", "valkey-server")]
    [InlineData("valkey-server", "redis-server")]
    public async Task Scan_OfAServer_CopiesEveryTypeAndDatabase(string from, string to)
    {
        ServerRequirement.Require(from);
        ServerRequirement.Require(to);
        await using var source = await RedisServerProcess.Start(from, KeyContents.Debuggable);
        await using var target = await RedisServerProcess.Start(to, KeyContents.Debuggable);
        using var connection = SyncProcess.Open(source.Uri);
        KeyContents.Write(connection);
        connection.Execute("SELECT", "3");
        KeyContents.Write(connection, count: 3);
        connection.Execute("SETRANGE", "large", "3000000", "x");

        var record = await SyncProcess.Run("scan", source.Uri, target.Uri);

        KeyContents.Of(target).ShouldBe(KeyContents.Of(source));
        record.Synced("keys").ShouldBe(319);
        record.Synced("skipped").ShouldBe(0);
        record["metrics"]!["lag.count"]!.GetValue<double>().ShouldBe(319);
        record["metrics"]!["written"]!.GetValue<double>().ShouldBe(319);
        record["summaries"]!.AsArray().Count.ShouldBe(1);
    }

    [Theory]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task Scan_WithClusters_CopiesEveryKey(bool fromCluster, bool toCluster)
    {
        await using var source = await Ends.Start(fromCluster);
        await using var target = await Ends.Start(toCluster);
        source.Write();

        var record = await SyncProcess.Run("scan", source.Uri, target.Uri);

        target.Contents().ShouldBe(source.Contents());
        record.Synced("keys").ShouldBe(300);
        record["summaries"]!.AsArray().Count.ShouldBe(fromCluster ? 4 : 1);
    }

    [Fact]
    public async Task Scan_OntoKeysThatAreThere_KeepsReplacesOrRefuses()
    {
        await using var source = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        await using var target = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("MSET", "a", "1", "b", "1");
        to.Execute("SET", "a", "old");

        var refused = await SyncProcess.Refusal("scan", source.Uri, target.Uri, 3);
        refused.ShouldContain("is not empty (keys: 1)");
        refused.ShouldContain("--on-existing rewrite or skip");

        var skipped = await SyncProcess.Run("scan", source.Uri, target.Uri, 0, "--on-existing", "skip");
        skipped.Synced("skipped").ShouldBe(1);
        skipped.Synced("keys").ShouldBe(1);
        to.Execute("GET", "a").Text.ShouldBe("old");

        await SyncProcess.Run("scan", source.Uri, target.Uri, 0, "--on-existing", "rewrite");
        KeyContents.Of(target).ShouldBe(KeyContents.Of(source));
    }

    [Fact]
    public async Task Scan_OntoAClusterThatHasKeys_IsRefusedBeforeItBegins()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await Ends.Start(isCluster: true);
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("MSET", "a", "1", "b", "1");
        target.Execute("a", "SET", "a", "old");
        target.Execute("b", "SET", "b", "old");

        (await SyncProcess.Refusal("scan", source.Uri, target.Uri, 3)).ShouldContain("is not empty (keys: 2)");
        target.Contents().Count.ShouldBe(2);
    }

    [Fact]
    public async Task Scan_WithFiltersMapsAndPrefixes_CarriesOverWhatWasAskedFor()
    {
        await using var source = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        await using var target = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        using var connection = SyncProcess.Open(source.Uri);
        connection.Execute("MSET", "user:1", "a", "user:2:secret", "b", "other", "c", "user:9", "d");
        connection.Execute("SELECT", "2");
        connection.Execute("SADD", "user:7", "e");

        var record = await SyncProcess.Run(
            "scan", source.Uri, target.Uri, 0, "--allow-key-prefix", "user:", "--block-key-regex", "secret$",
            "--block-key", "user:9", "--database-map", "2:1", "--rename-prefix", "user:=customer:");

        KeyContents.Of(target).Keys.ShouldBe(["0/customer:1", "1/customer:7"]);
        record.Synced("filtered").ShouldBe(3);
    }

    [Theory]
    [InlineData(0, "--type", "hash", "--type", "zset")]
    [InlineData(20, "--skip-type", "STRING", "--skip-type", "list", "--skip-type", "set", "--skip-type", "stream")]
    public async Task Scan_OfSomeTypes_LeavesTheOthersOut(int skipped, params string[] arguments)
    {
        await using var source = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        await using var target = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        using var connection = SyncProcess.Open(source.Uri);
        KeyContents.Write(connection, count: 5);

        var record = await SyncProcess.Run("scan", source.Uri, target.Uri, 0, arguments);

        KeyContents.Of(target).Keys.Select(key => key[2..].Split(':')[0]).Distinct().ShouldBe(["hash", "zset"]);
        record.Synced("skipped").ShouldBe(skipped);
    }

    [Fact]
    public async Task Scan_WhoseSourceIsStartedAgain_EndsThere_ForItsCursorMeansNothingNow()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start();
        using (var from = SyncProcess.Open(source.Uri))
        {
            from.Execute("EVAL", "for i = 1, 20000 do redis.call('SET', 'k' .. i, i) end", "0");
            from.Execute("SAVE");
        }

        using var to = SyncProcess.Open(target.Uri);
        await using var process = SyncProcess.Start(
            "scan", source.Uri, target.Uri, "--rate", "2000", "--count", "10", "--on-existing", "rewrite");
        await process.Until("some are there", () => KeyContents.CountIn(to) > 500);
        await source.Kill();
        await source.Restart();

        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("the cursor of a scan says nothing there");
        KeyContents.CountIn(to).ShouldBeLessThan(20_000);
    }

    [Theory]
    [InlineData("MOVE", "k1", "3")]
    [InlineData("RENAME", "k1", "other")]
    [InlineData("DEL", "k1")]
    public async Task Scan_OfASourceThatIsWrittenTo_HasEveryKeyThatNobodyTouched(params string[] command)
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("EVAL", "for i = 1, 3000 do redis.call('SET', 'k' .. i, i) end", "0");
        await using var process = SyncProcess.Start(
            "scan", source.Uri, target.Uri, "--rate", "2000", "--count", "10");
        await process.Until("some are there", () => KeyContents.CountIn(to) > 100);

        from.Execute(command);
        (await process.End()).ShouldBe(0, process.ToString());

        to.Execute(["EXISTS", .. Enumerable.Range(2, 2999).Select(i => $"k{i}")]).Number.ShouldBe(2999);
    }

    [Fact]
    public async Task Scan_WithAFunction_WritesWhatItCalls()
    {
        await using var source = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        await using var target = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        using var connection = SyncProcess.Open(source.Uri);
        connection.Execute("MSET", "keep", "1", "drop", "2");
        var script = Path.Combine(source.Folder, "function.lua");
        await File.WriteAllTextAsync(
            script,
            """
            if KEYS[1] == 'drop' then return end
            ARGV[KEY_INDEXES[1]] = 'new:' .. KEYS[1]
            shake.call(DB, ARGV)
            shake.call(1, {'SET', 'seen:' .. CMD, GROUP, 'EX', 1000})
            """,
            TestContext.Current.CancellationToken);

        await SyncProcess.Run("scan", source.Uri, target.Uri, 0, "--function", script);

        using var to = SyncProcess.Open(target.Uri);
        to.Execute("GET", "new:keep").Text.ShouldBe("1");
        KeyContents.CountIn(to).ShouldBe(1);
        to.Execute("SELECT", "1");
        to.Execute("GET", "seen:RESTORE").Text.ShouldBe("GENERIC");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Scan_OfASourceWithLibraries_NotesThatTheyStay_WhereItMayAsk(bool mayAsk)
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "key", "1");
        pair.From.Execute("FUNCTION", "LOAD", "#!lua name=lib\nredis.register_function('f', function() return 1 end)");
        pair.From.Execute("ACL", "SETUSER", "default", mayAsk ? "+@all" : "-function");

        var record = await SyncProcess.Run("scan", pair.Source.Uri, pair.Target.Uri);

        record["verdict"]!.ToJsonString().Contains("libraries of functions (1)", StringComparison.Ordinal).ShouldBe(
            mayAsk);
        pair.To.Execute("FUNCTION", "LIST").Items.Count.ShouldBe(0);
    }

    [Fact]
    public async Task Scan_OfIdleKeys_CarriesTheirIdleTimesOver()
    {
        string[] lru = [.. KeyContents.Debuggable, "--maxmemory-policy", "allkeys-lru"];
        await using var source = await RedisServerProcess.Start(arguments: lru);
        await using var target = await RedisServerProcess.Start(arguments: lru);
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("SET", "key", "value");
        from.Execute("EVAL", "redis.call('RESTORE', 'idle', 0, redis.call('DUMP', 'key'), 'IDLETIME', 5000)", "0");

        await SyncProcess.Run("scan", source.Uri, target.Uri);

        to.Execute("OBJECT", "IDLETIME", "idle").Number.ShouldBeGreaterThanOrEqualTo(5000);
        to.Execute("OBJECT", "IDLETIME", "key").Number.ShouldBeLessThan(1000);
    }

    [Fact]
    public async Task Scan_OfOtherDatabasesToACluster_IsRefusedBeforeItBegins()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await Ends.Start(isCluster: true);
        using var connection = SyncProcess.Open(source.Uri);
        connection.Execute("SELECT", "3");
        connection.Execute("SET", "key", "value");

        var refusal = await SyncProcess.Refusal("scan", source.Uri, target.Uri, 3);

        refusal.ShouldContain("has no database 3 (ERR SELECT is not allowed in cluster mode)");
        refusal.ShouldContain("--database-map 3:0");
        await SyncProcess.Run("scan", source.Uri, target.Uri, 0, "--database-map", "3:0");
        target.Contents().Keys.ShouldBe(["0/key"]);
    }

    [Fact]
    public async Task Scan_OfADatabaseThatTheSourceLacks_IsRefused_OneThatIsEmptyIsNot()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start();

        (await SyncProcess.Refusal("scan", source.Uri, target.Uri, 3, "--database", "0", "--database", "77"))
            .ShouldContain("--database 77: --source");
        (await SyncProcess.Run("scan", source.Uri, target.Uri, 0, "--database", "15")).Synced("keys").ShouldBe(0);
    }

    [Fact]
    public async Task Scan_CutWithinAPage_FindsItsOwnKeysAtTheTarget()
    {
        await using var pair = await SyncPair.Start(source: ["--rdbcompression", "no"]);
        pair.From.Execute(
            "EVAL", "for i = 1, 5000 do redis.call('SET', 'key:' .. i, string.rep('x', 2000)) end", "0");
        var port = FreePort.Next();
        var link = TcpLink.Start(port, pair.Source, new LinkSettings { Rate = 3_000_000 });
        await using var process = SyncProcess.Start(
            "scan", $"redis://127.0.0.1:{port}", pair.Target.Uri, "--count", "5000");
        await process.Until("some are there", () => KeyContents.CountIn(pair.To) > 0);

        link.Dispose();
        using var restored = TcpLink.Start(port, pair.Source);
        var (code, record) = await process.End().End(process);
        code.ShouldBe(0, process.ToString());
        record.Synced("keys").ShouldBe(5000);

        KeyContents.Of(pair.Target).ShouldBe(KeyContents.Of(pair.Source));
    }

    [Fact]
    public async Task Key_InItsLastMillisecond_DoesNotStayForEver()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "key", "1", "EX", "1000");
        using var old = AlteredReplies.Of(pair.Source, text => Regex.Replace(
            text.Replace("redis_version:7.0", "redis_version:6.2", StringComparison.Ordinal),
            @"^:(9\d{5}|1000000)\r$", ":0\r", RegexOptions.Multiline));

        await SyncProcess.Run("scan", old.Uri, pair.Target.Uri);

        pair.To.Execute("PTTL", "key").Number.ShouldBe(-2);
    }

    // Another client makes it anew between the two answers.
    [Theory]
    [InlineData("7.0")]
    [InlineData("6.2")]
    public async Task Key_ThatHasAValueButNoTime_IsAskedForAgain(string version)
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("MSET", "a", "1", "b", "2", "c", "3");
        pair.From.Execute("EXPIRE", "b", "1000");
        var altered = 0;
        using var between = AlteredReplies.Of(pair.Source, text => Regex.Replace(
            text.Replace("redis_version:7.0", $"redis_version:{version}", StringComparison.Ordinal),
            @"^:(\d{13}|9\d{5}|1000000)\r$",
            time => Interlocked.Increment(ref altered) == 1 ? ":-2\r" : time.Value, RegexOptions.Multiline));

        var record = await SyncProcess.Run("scan", between.Uri, pair.Target.Uri);

        pair.To.Execute("GET", "b").Text.ShouldBe("2");
        pair.To.Execute("PTTL", "b").Number.ShouldBeInRange(1, 1_000_000);
        record.Synced("keys").ShouldBe(3);
        altered.ShouldBe(2);
    }
}
