using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Server.Links;

namespace RedisLatency.Sync.Tests.Runs;

/// <summary>A source that dies, a link that is cut, a target that restarts: in the data set and in the stream.</summary>
public class SyncOutageTests
{
    private const int Keys = 2000;

    // A data set takes ten seconds, and is longer than what the sockets between hold.
    private const long SlowBytesPerSecond = 2_000_000;

    [Fact]
    public async Task Link_ThatIsCutForTenSeconds_IsGoneOnWith()
    {
        await using var source = await Start();
        await using var target = await Start();
        using var from = SyncProcess.Open(source.Uri);
        Fill(from);
        var port = FreePort.Next();
        var link = Link(port, source, isSlow: false);
        await using var process = SyncProcess.Start("sync", Uri(port), target.Uri);
        await Arrives(process, target, inDataSet: false);

        link.Dispose();
        for (var i = 0; i < 10; i++)
        {
            // What is not idempotent shows what comes twice.
            from.Execute("INCR", "count");
            from.Execute("RPUSH", "list", $"{i}");
            await Task.Delay(TimeSpan.FromSeconds(1), TestContext.Current.CancellationToken);
        }

        using var restored = Link(port, source, isSlow: false);
        from.Execute("SET", "last", "1");
        await process.Until("both are equal", () => KeyContents.CountOf(target) == KeyContents.CountOf(source)
            && KeyContents.Of(target).SequenceEqual(KeyContents.Of(source)));
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record.EventKinds().ShouldContain("reconnected");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Source_ThatDies_EndsTheRunWhereItWas(bool inDataSet)
    {
        await using var source = await Start();
        await using var target = await Start();
        var port = FreePort.Next();
        using var link = Link(port, source, inDataSet);
        using (var from = SyncProcess.Open(source.Uri))
            Fill(from);
        await using var process = SyncProcess.Start("sync", Uri(port), target.Uri);
        await Arrives(process, target, inDataSet);

        await source.Kill();
        await source.Restart();
        var (ended, partial) = await process.End().End(process);

        ended.ShouldBe(5, process.ToString());
        partial["partial"]!.GetValue<bool>().ShouldBeTrue();
        process.Errors.ToString().ShouldMatch(
            inDataSet ? @"was lost within its data set, after [\d,]+ bytes" : @"cannot go on behind offset \d+");
        partial["verdict"]!.ToJsonString().Contains("was not read to its end").ShouldBe(inDataSet);
        process.Errors.ToString().ShouldContain(SyncRun.BeginsAnew);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Target_ThatRestarts_EndsTheRun_AndGetsAllOfItByTheNext(bool inDataSet)
    {
        await using var source = await Start();
        await using var target = await Start();
        var port = FreePort.Next();
        using var link = Link(port, source, inDataSet);
        using var from = SyncProcess.Open(source.Uri);
        Fill(from);
        await using var process = SyncProcess.Start("sync", Uri(port), target.Uri);
        await Arrives(process, target, inDataSet);

        await target.Kill();
        for (var i = 0; i < 100; i++)
            from.Execute("SET", $"key:{i}", $"{i}");
        await target.Restart();
        from.Execute("SET", "last", "1");
        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain(" was started again");

        await using var again = SyncProcess.Start(
            "sync", source.Uri, target.Uri, "--checkpoint", "anew", "--empty-destination");
        await again.Until("both are equal", () => KeyContents.CountOf(target) == KeyContents.CountOf(source)
            && KeyContents.Of(target).SequenceEqual(KeyContents.Of(source)));
        (await again.EndBy("INT")).ShouldBe(130, again.ToString());
    }

    [Fact]
    public async Task Target_WhoseAnswersAreLost_HasItsKeysOnce_AlsoWhereNoneMayBeReplaced()
    {
        await using var source = await Start();
        await using var target = await Start();
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        Fill(from);
        var port = FreePort.Next();
        var link = Link(port, target, isSlow: false, TimeSpan.FromMilliseconds(500));
        await using var process = SyncProcess.Start("sync", source.Uri, Uri(port), "--no-stream");
        // They are carried out at once, and half a second passes until anybody hears of it.
        await process.Until("keys are there", () => KeyContents.CountIn(to) > 100);

        link.Dispose();
        using var restored = Link(port, target, isSlow: false);
        var (code, record) = await process.End().End(process);

        code.ShouldBe(0, process.ToString());
        KeyContents.Of(target).ShouldBe(KeyContents.Of(source));
        (record.Synced("keys"), record.Synced("skipped")).ShouldBe((Keys, 0));
    }

    [Theory]
    [InlineData(true, "failover")]
    [InlineData(true, "migration")]
    [InlineData(false, "failover")]
    [InlineData(false, "migration")]
    [InlineData(false, "death")]
    public async Task TargetCluster_ThatChanges_GetsAllOfIt(bool inDataSet, string change)
    {
        await using var source = await Start();
        await using var target = await RedisClusterProcesses.Start(
            new RedisClusterOptions { Arguments = KeyContents.Debuggable });
        var port = FreePort.Next();
        using var link = Link(port, source, inDataSet);
        using var from = SyncProcess.Open(source.Uri);
        Fill(from);
        await using var process = SyncProcess.Start("sync", Uri(port), target.Uri);
        await process.Until("keys are there", () => KeyContents.CountOf(target) >= (inDataSet ? 1 : Keys));

        var primary = target.PrimaryOf(100);
        using (var old = target.Open(primary))
            old.Execute("WAIT", "1", "0");
        if (change == "failover")
            await target.Failover(target.ReplicasOf(primary)[0]);
        else if (change == "death")
            await target.KillPrimary(primary);
        else
            await target.MigrateSlots(primary, target.PrimaryOf(16000), 0, 200);
        for (var i = 0; i < 500; i++)
            from.Execute("RPUSH", $"list:{i}", "a", "b");
        from.Execute("SET", "last", "1");
        if (change == "migration")
        {
            await BecomeEqual(process);
            return;
        }

        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain(" took the place of ");
        process.Errors.ToString().ShouldContain(
            inDataSet ? "--checkpoint anew --empty-destination" : "The same command goes on");
        await using var again = SyncProcess.Start(
            "sync", Uri(port), target.Uri, inDataSet ? ["--checkpoint", "anew", "--empty-destination"] : []);
        await BecomeEqual(again);

        async Task BecomeEqual(ServiceProcess running)
        {
            await running.Until("both are equal", () => KeyContents.CountOf(target) == KeyContents.CountOf(source)
                && KeyContents.Of(target).SequenceEqual(KeyContents.Of(source)));
            (await running.EndBy("INT")).ShouldBe(130, running.ToString());
        }
    }

    [Fact]
    public async Task Writes_BehindOneThatIsRefused_GoOnAtOnceWhenItPasses()
    {
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst();
        pair.To.Execute("CONFIG", "SET", "min-replicas-to-write", "1");
        pair.From.Execute("EVAL", "for i = 1, 2000 do redis.call('INCR', 'n') end", "0");
        for (var i = 0; i < 2000; i++)
            pair.From.Execute("INCR", "n");
        await Eventually.Is("they are refused", () => pair.To.Request("INFO", "errorstats").Text.Contains("NOREPLICAS"));
        // Of those on their way then, some would be carried out behind others that were refused, which ends the run.
        await Task.Delay(1000, TestContext.Current.CancellationToken);

        pair.To.Execute("CONFIG", "SET", "min-replicas-to-write", "0");
        var since = TimeProvider.System.GetTimestamp();
        await process.Until("all are there", () => pair.To.Execute("GET", "n").Text == "4000");

        // With a pause before each it took a minute.
        TimeProvider.System.GetElapsedTime(since).ShouldBeLessThan(TimeSpan.FromSeconds(20));
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());
    }

    [Fact]
    public async Task Target_ThatNeverAnswersAKey_EndsTheRun()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "key", "1");
        using var silent = AlteredReplies.Swallowing(pair.Target, "*4\r\n$7\r\nRESTORE\r\n");

        var said = await SyncProcess.Refusal(
            "sync", pair.Source.Uri, silent.Uri, 5, "--no-stream", "--reconnect-timeout", "1s");

        said.ShouldContain("does not answer: no reply for 1 s");
    }

    [Fact]
    public async Task Command_BehindAKeyWhoseAnswerWasLost_IsNotUndone()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "key", "old");
        var function = Path.Combine(pair.Source.Folder, "function.lua");
        await File.WriteAllTextAsync(
            function, "shake.call(DB, ARGV)\nshake.call(DB, {'SET', KEYS[1], 'new'})\n",
            TestContext.Current.CancellationToken);
        var port = FreePort.Next();
        var link = Link(port, pair.Target, isSlow: false, TimeSpan.FromMilliseconds(500));
        await using var process = SyncProcess.Start(
            "sync", pair.Source.Uri, Uri(port), "--no-stream", "--function", function);
        await process.Until("it is there", () => pair.To.Execute("EXISTS", "key").Number == 1);

        link.Dispose();
        using var restored = TcpLink.Start(port, pair.Target);
        (await process.End()).ShouldBe(0, process.ToString());

        pair.To.Execute("GET", "key").Text.ShouldBe("new");
    }

    /// <summary>With a checkpoint it is known what came; without one it is not.</summary>
    [Theory]
    [InlineData("keep")]
    [InlineData("none")]
    public async Task Command_WhoseAnswerWasLost_AndWhoseKeyHasAnotherTypeSince_IsInDoubt(string checkpoint)
    {
        await using var pair = await SyncPair.Start();
        var port = FreePort.Next();
        var link = Link(port, pair.Target, isSlow: false, TimeSpan.FromMilliseconds(500));
        pair.From.Execute("SET", "first", "1");
        await using var process = SyncProcess.Start(
            "sync", pair.Source.Uri, Uri(port), "--checkpoint", checkpoint);
        await process.Until("the first is there", () => pair.To.Execute("EXISTS", "first").Number == 1);
        pair.From.Execute("SADD", "key", "1");
        pair.From.Execute("DEL", "key");
        pair.From.Execute("SET", "key", "1");
        await process.Until("it has its type", () => pair.To.Execute("TYPE", "key").Text == "string");

        link.Dispose();
        using var restored = TcpLink.Start(port, pair.Target);
        if (checkpoint == "keep")
        {
            pair.From.Execute("INCR", "key");
            await process.Until("it goes on", () => pair.To.Execute("GET", "key").Text == "2");
            (await process.EndBy("INT")).ShouldBe(130, process.ToString());
            return;
        }

        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("SADD key was sent again, as its answer was lost");
    }

    [Fact]
    public async Task VeryLongValue_ThatIsCutOffOrRefused_ComesWhole()
    {
        await using var pair = await SyncPair.Start(source: ["--rdbcompression", "no"], target: ["--min-replicas-to-write", "1"]);
        pair.From.Execute(
            "EVAL", "for i = 1, 2 do redis.call('SET', 'key:' .. i, string.rep('value' .. i, 3000000)) end", "0");
        var port = FreePort.Next();
        var link = TcpLink.Start(port, pair.Target, forward: new LinkSettings { Rate = 20_000_000 });
        await using var process = SyncProcess.Start("sync", pair.Source.Uri, Uri(port), "--no-stream");
        await process.Until("it is refused", () => pair.To.Request("INFO", "errorstats").Text.Contains("NOREPLICAS"));

        pair.To.Execute("CONFIG", "SET", "min-replicas-to-write", "0");
        await process.Until("the second is on its way", () => KeyContents.CountIn(pair.To) == 1);
        link.Dispose();
        using var restored = TcpLink.Start(port, pair.Target);
        (await process.End()).ShouldBe(0, process.ToString());

        KeyContents.Of(pair.Target).ShouldBe(KeyContents.Of(pair.Source));
    }

    // What it has written it still has when it starts again.
    private static Task<RedisServerProcess> Start() => RedisServerProcess.Start(
        arguments:
        [
            "--appendonly", "yes", "--appendfsync", "always", "--rdbcompression", "no", .. KeyContents.Debuggable,
        ]);

    private static void Fill(RedisConnection source) => source.Execute(
        "EVAL",
        $"for i = 1, {Keys} do redis.call('SET', 'key:' .. i, string.rep(redis.sha1hex(i), 250)) end",
        "0");

    private static async Task Arrives(ServiceProcess process, RedisServerProcess target, bool inDataSet)
    {
        using var to = SyncProcess.Open(target.Uri);
        await process.Until("keys are there", () => KeyContents.CountIn(to) is var count
            && (inDataSet ? count is > 0 and < Keys : count == Keys));
    }

    private static string Uri(int port) => $"redis://127.0.0.1:{port}";

    private static WanLink Link(int port, RedisServerProcess to, bool isSlow, TimeSpan delay = default) =>
        TcpLink.Start(port, to, new LinkSettings { Rate = isSlow ? SlowBytesPerSecond : 0, Delay = delay });
}
