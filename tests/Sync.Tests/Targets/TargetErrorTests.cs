using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Targets;

public sealed class TargetErrorTests
{
    private static readonly string[] Large = ["EVAL", LargeKeys, "0"];

    private const string LargeKeys =
        "for i = 1, 200 do redis.call('SET', 'large:' .. i, string.rep('x', 20000) .. i) end";

    private const string TooLittle = "2500000";

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Target_OutOfMemoryInTheDataSet_IsWaitedFor(bool getsRoom)
    {
        await using var source = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        await using var target = await RedisServerProcess.Start(
            arguments: [.. KeyContents.Debuggable, "--maxmemory", TooLittle]);
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute(Large);
        from.Execute("SAVE");

        await using var process = SyncProcess.StartFile(
            "rdb", Path.Combine(source.Folder, "dump.rdb"), target.Uri, "--reconnect-timeout", getsRoom ? "60s" : "1s");
        if (getsRoom)
        {
            await Eventually.Is("the target is full", () => HasRefused(to, "OOM"));
            to.Execute("CONFIG", "SET", "maxmemory", "0");
        }

        var (code, record) = await process.End().End(process);

        if (getsRoom)
        {
            code.ShouldBe(0, process.ToString());
            KeyContents.Of(target).ShouldBe(KeyContents.Of(source));
            return;
        }

        code.ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldMatch(
            @"127\.0\.0\.1:\d+: RESTORE large:\d+ was refused for 1 s: OOM .*Raise its maxmemory");
        record.Synced("keys").ShouldBe(KeyContents.CountIn(to));
    }

    [Theory]
    [InlineData("BITOP AND d q", "BITOP d")]
    [InlineData("XGROUP CREATE q g 0", "XGROUP CREATE q")]
    [InlineData("ZUNIONSTORE d 1 q", "ZUNIONSTORE d")]
    [InlineData("ZMPOP 1 q MIN", "ZMPOP q")]
    public async Task Command_ThatIsRefused_IsNamedWithItsKey(string command, string named)
    {
        await using var target = await RedisServerProcess.Start();

        Should.Throw<RedisServerException>(
                () => GivenSync.Run(target.Uri, new TransformPlan(), 1, "RPUSH q a", command))
            .Message.ShouldContain($": {named} was refused: WRONGTYPE");
    }

    // What stood behind it was on its way, is carried out, and counts; the offset stays before it.
    [Fact]
    public async Task Offset_OfARunThatEndsAtARefusal_IsBeforeWhatWasRefused()
    {
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst();
        pair.To.Execute("SET", "n", "5");
        pair.From.Execute("SET", "last", "1");
        await process.Until("the last is there", () => pair.To.Execute("EXISTS", "last").Number == 1);
        var offset = long.Parse(
            Regex.Match(pair.From.Execute("INFO", "replication").Text, @"master_repl_offset:(\d+)").Groups[1].Value,
            System.Globalization.CultureInfo.InvariantCulture);
        pair.Target.Pause();

        pair.From.Execute("LPUSH", "n", "1");
        pair.From.Execute("DEL", "n");
        pair.From.Execute("INCR", "n");
        for (var i = 0; i < 20; i++)
        {
            pair.From.Execute("SET", $"behind:{i}", "1");
            await Task.Delay(20, TestContext.Current.CancellationToken);
        }

        pair.Target.Resume();
        var (code, record) = await process.End().End(process);

        code.ShouldBe(4, process.ToString());
        (pair.To.Execute("GET", "n").Text, pair.To.Execute("EXISTS", "behind:19").Number).ShouldBe(("1", 1));
        // Those that were in one transaction with it do not count.
        record.Synced("commands").ShouldBeInRange(20, 23);
        pair.To.Execute("HEXISTS", CheckpointKeys.Name, $"127.0.0.1:{pair.Source.Port}/broken").Number.ShouldBe(1);
        record.Sync()["appliedOffset"]!.GetValue<long>().ShouldBeLessThanOrEqualTo(offset);
    }

    [Fact]
    public async Task Target_ThatTurnsTheStreamAway_GetsAllOfIt_OnceAndInOrder()
    {
        await using var source = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        await using var target = await RedisServerProcess.Start(
            arguments: [.. KeyContents.Debuggable, "--lua-time-limit", "1"]);
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("SET", "begin", "1");
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await Eventually.Is("the data set is there", () => to.Execute("EXISTS", "begin").Number == 1);

        to.Execute("CONFIG", "SET", "maxmemory", "1");
        Write(1);
        await Eventually.Is("memory is short", () => HasRefused(to, "OOM"));
        to.Execute("CONFIG", "SET", "maxmemory", "0");
        await AwaitRound(1);

        to.Execute("REPLICAOF", "127.0.0.1", "1");
        Write(2);
        await Eventually.Is("it is a replica", () => HasRefused(to, "READONLY"));
        to.Execute("REPLICAOF", "NO", "ONE");
        await AwaitRound(2);

        // Where a snapshot cannot get its name, writes are refused.
        Directory.CreateDirectory(Path.Combine(target.Folder, "dump.rdb"));
        to.Execute("CONFIG", "SET", "save", "3600 1000000");
        to.Execute("BGSAVE");
        await Eventually.Is("the snapshot has failed", () => Persistence().Contains("rdb_last_bgsave_status:err"));
        Write(3);
        await Eventually.Is("no snapshot can be made", () => HasRefused(to, "MISCONF"));
        Directory.Delete(Path.Combine(target.Folder, "dump.rdb"));
        to.Execute("BGSAVE");
        await AwaitRound(3);

        using (var other = SyncProcess.Open(target.Uri))
        {
            var busy = Task.Run(() => other.Request("EVAL", "while true do end", "0"));
            await Eventually.Is("a script runs", () => to.Request("PING").IsError);
            Write(4);
            await Task.Delay(300, TestContext.Current.CancellationToken);
            to.Request("SCRIPT", "KILL");
            await busy;
        }

        await AwaitRound(4);
        KeyContents.Of(target).ShouldBe(KeyContents.Of(source));
        var (code, record) = await process.EndBy("INT").End(process);
        code.ShouldBe(130, process.ToString());
        record.Synced("skipped").ShouldBe(0);

        void Write(int round)
        {
            foreach (var database in (string[])["0", "3", "0"])
            {
                from.Execute("SELECT", database);
                from.Execute("INCR", "count");
                from.Execute("RPUSH", "list", $"{round}:{database}");
                from.Execute("MULTI");
                from.Execute("INCR", "count");
                from.Execute("RPUSH", "list", "in a transaction");
                from.Execute("EXEC");
            }

            from.Execute("SET", "round", $"{round}");
        }

        Task AwaitRound(int round) =>
            Eventually.Is($"round {round} is there", () => to.Request("GET", "round").Text == $"{round}");

        string Persistence() => to.Execute("INFO", "persistence").Text;
    }

    [Fact]
    public async Task Target_ThatIsAReplica_IsRefused_AndOneThatStaysOne_EndsTheRun()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("SET", "begin", "1");

        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await Eventually.Is("the data set is there", () => to.Execute("EXISTS", "begin").Number == 1);
        to.Execute("REPLICAOF", "127.0.0.1", "1");
        from.Execute("SET", "k", "1");
        var (code, record) = await process.End().End(process);

        code.ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain(" is a replica now: what its primary does not have is gone");
        record.Synced("commands").ShouldBe(0);
        var refused = await SyncProcess.Refusal("sync", source.Uri, target.Uri, 3);
        refused.ShouldContain("is a replica, which takes no writes: give its primary, 127.0.0.1:1");
    }

    [Fact]
    public async Task Target_ThatEvicts_EndsTheRun()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start(
            arguments: ["--maxmemory", "4mb", "--maxmemory-policy", "allkeys-random"]);
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("EVAL", "for i = 1, 4000 do redis.call('SET', i, string.rep('x', 2000)) end", "0");

        (await SyncProcess.Refusal("scan", source.Uri, target.Uri, 5)).ShouldMatch(
            @"evicted keys meanwhile \(maxmemory-policy; [\d,]+\)");
    }

    [Fact]
    public async Task TargetCluster_WithoutSlots_IsRefused()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start(arguments: ["--cluster-enabled", "yes"]);

        (await SyncProcess.Refusal("scan", source.Uri, target.Uri, 3)).ShouldContain("no server has slots 0-16383");
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Target_ThatTakesSomeCommandsOnly_GetsAllInTheirOrder(bool pops)
    {
        await using var source = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        await using var target = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        using var other = SyncProcess.Open(target.Uri);
        from.Execute("RPUSH", "list", "a", "b");
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await process.Until("the data set is there", () => KeyContents.CountIn(to) == 1);

        // All of them wait at a target that then refuses what needs memory, and carries out the rest.
        to.Execute("CONFIG", "SET", "maxmemory", "1");
        var sleeping = Task.Run(() => other.Execute("DEBUG", "SLEEP", "1.5"));
        await Task.Delay(300, TestContext.Current.CancellationToken);
        for (var i = 0; i < 20; i++)
        {
            from.Execute("SET", $"key:{i}", "v");
            from.Execute("DEL", $"key:{i}");
        }

        if (pops)
        {
            from.Execute("RPUSH", "list", "c");
            from.Execute("RPOP", "list");
        }

        from.Execute("RENAME", "list", "renamed");

        from.Execute("SET", "last", "1");
        await sleeping;
        to.Execute("CONFIG", "SET", "maxmemory", "0");
        await process.Until("the last is there", () => to.Execute("EXISTS", "last").Number == 1);
        KeyContents.Of(target).ShouldBe(KeyContents.Of(source));
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());
    }

    [Fact]
    public async Task Target_ThatLoads_IsRefusedBefore_AndWaitedForWhileItRuns()
    {
        await using var source = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        await using var target = await RedisServerProcess.Start(
            arguments:
            [
                .. KeyContents.Debuggable, "--key-load-delay", "100000", "--loading-process-events-interval-bytes",
                "1024", "--rdbcompression", "no",
            ]);
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("EVAL", "for i = 1, 400 do redis.call('SET', 'key:' .. i, string.rep('x', 200)) end", "0");
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await Eventually.Is("the data set is there", () => KeyContents.CountIn(to) == 400);

        using var other = SyncProcess.Open(target.Uri);
        var loading = Task.Run(() => other.Request("DEBUG", "RELOAD"));
        await Eventually.Is("it loads", () => to.Request("GET", "key:1") is { IsError: true } reply
            && reply.Text.StartsWith("LOADING"));
        from.Execute("SELECT", "2");
        for (var i = 0; i < 10; i++)
            from.Execute("INCR", "count");
        var refusal = await SyncProcess.Refusal("scan", source.Uri, target.Uri, 3, "--on-existing", "rewrite");
        // It loads for 40 s unless told otherwise: no machine is too slow to be refused.
        to.Execute("CONFIG", "SET", "key-load-delay", "0");
        await loading;
        to.Execute("SELECT", "2");
        await Eventually.Is("the stream is there", () => to.Request("GET", "count").Text == "10");

        refusal.ShouldContain("A server is still loading its data: wait for it.");
        KeyContents.Of(target).ShouldBe(KeyContents.Of(source));
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());
    }

    [Fact]
    public async Task Target_WithoutTheDatabase_EndsTheRunWithItsNumber()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start(arguments: ["--databases", "4"]);
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("SET", "zero", "1");
        from.Execute("SELECT", "9");
        from.Execute("SET", "nine", "1");

        (await SyncProcess.Refusal("scan", source.Uri, target.Uri, 3)).ShouldContain(
            "has no database 9 (ERR DB index is out of range): map it (--database-map 9:0), leave it out (--block");
        from.Execute("SAVE");
        await using var process = SyncProcess.StartFile(
            "rdb", Path.Combine(source.Folder, "dump.rdb"), target.Uri);
        var (code, _) = await process.End().End(process);

        code.ShouldBe(4, process.ToString());
        process.Errors.ToString().ShouldContain("SELECT 9 was refused: ERR DB index is out of range");
        using var to = SyncProcess.Open(target.Uri);
        to.Execute("KEYS", "*").Items.Select(one => one.Text).ShouldNotContain("nine");
    }

    [Fact]
    public async Task Cluster_GivenAnotherDatabase_ByAFileOrLater_EndsTheRunAndSaysWhich()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await Ends.Start(isCluster: true);
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("SET", "begin", "1");
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await Eventually.Is("the data set is there", () => target.Contents().ContainsKey("0/begin"));
        from.Execute("SET", "before", "1");
        await Eventually.Is("the stream is there", () => target.Contents().ContainsKey("0/before"));
        from.Execute("SELECT", "3");
        from.Execute("SET", "k", "1");
        var (code, record) = await process.End().End(process);

        code.ShouldBe(4, process.ToString());
        process.Errors.ToString().ShouldContain("in cluster mode. Map it (--database-map 3:0)");
        target.Contents().Keys.ShouldBe(["0/before", "0/begin"]);
        record.Synced("commands").ShouldBe(1);

        from.Execute("SAVE");
        await using var file = SyncProcess.StartFile(
            "rdb", Path.Combine(source.Folder, "dump.rdb"), target.Uri, "--on-existing", "rewrite");
        (await file.End()).ShouldBe(4, file.ToString());
        file.Errors.ToString().ShouldContain("in cluster mode. Map it (--database-map 3:0)");
    }

    [Fact]
    public async Task Password_ThatIsWrong_OnEitherSideOrFromNowOn_IsSaid_AndNotShown()
    {
        await using var source = await RedisServerProcess.Start(arguments: ["--requirepass", "right"]);
        await using var target = await RedisServerProcess.Start(arguments: ["--requirepass", "right"]);
        string At(RedisServerProcess server, string password) => $"redis://:{password}@127.0.0.1:{server.Port}";

        foreach (var (from, to) in (IEnumerable<(string, string)>)
            [("guessed", "right"), ("right", "guessed")])
        {
            foreach (var verb in (string[])["sync", "scan"])
            {
                var refusal = await SyncProcess.Refusal(verb, At(source, from), At(target, to), 3);
                refusal.ShouldContain("WRONGPASS");
                refusal.ShouldContain($"127.0.0.1:{(from == "guessed" ? source : target).Port}");
                refusal.ShouldNotContain("guessed");
            }
        }

        await using var process = SyncProcess.Start(
            "sync", At(source, "right"), At(target, "right"), "--reconnect-timeout", "2s");
        using var writer = SyncProcess.Open(At(source, "right"));
        using var reader = SyncProcess.Open(At(target, "right"));
        writer.Execute("SET", "begin", "1");
        await Eventually.Is("it has begun", () => reader.Execute("EXISTS", "begin").Number == 1);
        reader.Execute("CONFIG", "SET", "requirepass", "another");
        reader.Execute("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        writer.Execute("SET", "k", "1");
        var (code, _) = await process.End().End(process);
        code.ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("WRONGPASS");
        process.ToString().ShouldNotContain("right");
    }

    private static bool HasRefused(RedisConnection connection, string code) =>
        connection.Execute("INFO", "errorstats").Text.Contains($"errorstat_{code}:", StringComparison.Ordinal);
}
