using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Scan;

public sealed class ScanLossTests
{
    [Fact]
    public async Task Key_ThatScanGivesTwice_AndThatIsRebuilt_EndsNoRun()
    {
        ServerRequirement.Require("redis-server");
        ServerRequirement.Require("valkey-server");
        await using var source = await RedisServerProcess.Start("valkey-server");
        await using var target = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("SADD", "key", "a", "b");
        using var twice = AlteredReplies.Of(source, text => text.Replace(
            "*1\r\n$3\r\nkey\r\n", "*2\r\n$3\r\nkey\r\n$3\r\nkey\r\n", StringComparison.Ordinal));

        var record = await SyncProcess.Run("scan", twice.Uri, target.Uri);

        (record.Synced("keys"), record.Synced("rebuilt")).ShouldBe((2, 2));
        using var to = SyncProcess.Open(target.Uri);
        to.Execute("SMEMBERS", "key").Items.Select(one => one.Text).Order().ShouldBe(["a", "b"]);
    }

    private const string Many = "for i = 1, 600 do redis.call('SET', 'key:' .. i, ARGV[1]) end";

    [Theory]
    [InlineData]
    [InlineData("--follow", "--on-existing", "rewrite")]
    public async Task Scan_AtWhoseAddressAnotherServerAnswers_EndsThere_AlsoWithinItsFirstPage(
        params string[] arguments)
    {
        await using var pair = await SyncPair.Start(source: ["--notify-keyspace-events", "AE"]);
        await using var other = await RedisServerProcess.Start();
        pair.From.Execute("EVAL", Many, "0", "old");
        var at = pair.Source;
        using var address = AlteredReplies.At(() => Volatile.Read(ref at));
        await using var process = SyncProcess.Start(
            "scan", address.Uri, pair.Target.Uri, ["--count", "1000", "--rate", "300", .. arguments]);
        await process.Until("some are there", () => KeyContents.CountIn(pair.To) > 50);

        Volatile.Write(ref at, other);
        Kill(pair.From, "redislatency-scan");

        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("was started again, or another took its place");
    }

    [Fact]
    public async Task Scan_OfAServerThatClosesConnections_AsTheAnswersAreLong_AsksForLess()
    {
        await using var pair = await SyncPair.Start(source: ["--rdbcompression", "no"]);
        pair.From.Execute("EVAL", "for i = 1, 12 do redis.call('SETRANGE', i, 1500000, 'x') end", "0");
        pair.From.Execute("CONFIG", "SET", "client-output-buffer-limit", "normal 6mb 0 0");
        (await SyncProcess.Run("scan", pair.Source.Uri, pair.Target.Uri)).Synced("keys").ShouldBe(12);

        pair.From.Execute("CONFIG", "SET", "client-output-buffer-limit", "normal 1mb 0 0");
        await using var process = SyncProcess.Start(
            "scan", pair.Source.Uri, pair.Target.Uri, "--on-existing", "rewrite", "--reconnect-timeout", "2s");
        (await process.End()).ShouldBe(5, process.ToString());

        process.Errors.ToString().ShouldContain("has not come on for 2 s");
        process.Errors.ToString().ShouldContain("client-output-buffer-limit");
    }

    [Theory]
    [InlineData(false, 5)]
    [InlineData(true, 130)]
    public async Task Scan_WhosePagesAreNotAnswered_Ends(bool isStopped, int exitCode)
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "k", "1");
        using var link = AlteredReplies.Swallowing(pair.Source, "COUNT\r\n$4\r\n1000");
        await using var process = SyncProcess.Start(
            "scan", link.Uri, pair.Target.Uri, "--count", "1000", "--command-timeout", "2s",
            "--reconnect-timeout", isStopped ? "10m" : "5s");
        await process.Until("it is missed", () => process.Errors.ToString().Contains("no reply to SCAN in time"));

        (await (isStopped ? process.EndBy("INT") : process.End())).ShouldBe(exitCode, process.ToString());
    }

    [Fact]
    public async Task Scan_ThatIsCutAgainAndAgain_CountsEachKeyOnce()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("EVAL", Many + " for i = 1, 300 do redis.call('HSET', i, i, i) end", "0", "x");
        await using var process = SyncProcess.Start(
            "scan", pair.Source.Uri, pair.Target.Uri, "--count", "300", "--skip-type", "hash", "--rate", "300");

        for (var keys = 50; keys < 500; keys += 100)
        {
            await process.Until("more are there", () => KeyContents.CountIn(pair.To) > keys);
            Kill(pair.From, "redislatency-scan");
        }

        var (code, record) = await process.End().End(process);
        code.ShouldBe(0, process.ToString());
        record.Synced("keys").ShouldBe(600);
        record.Synced("skipped").ShouldBe(300);
    }

    [Fact]
    public async Task Scan_OfAServerThatRunsAScript_WaitsForIt()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("EVAL", Many, "0", "x");
        pair.From.Execute("CONFIG", "SET", "busy-reply-threshold", "100");
        await using var process = SyncProcess.Start("scan", pair.Source.Uri, pair.Target.Uri, "--rate", "300");
        await process.Until("some are there", () => KeyContents.CountIn(pair.To) > 50);

        using var other = SyncProcess.Open(pair.Source.Uri);
        var script = Task.Run(() => pair.From.Request("EVAL", "while true do end", "0"), Cancellation);
        await process.Until("it is noticed", () => process.Errors.ToString().Contains("BUSY"));
        other.Execute("SCRIPT", "KILL");
        await script;

        var (code, record) = await process.End().End(process);
        code.ShouldBe(0, process.ToString());
        record.Synced("keys").ShouldBe(600);
    }

    // As one of Redis 6, where rights cannot be looked at beforehand; its times to live need its clock.
    [Fact]
    public async Task Scan_OfASourceThatDoesNotTellItsTime_Ends()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "k", "1", "PX", "100000");
        using var link = AlteredReplies.Refusing(pair.Source, "TIME");
        await using var process = SyncProcess.Start("scan", link.Uri, pair.Target.Uri);

        (await process.End()).ShouldBe(4, process.ToString());

        process.Errors.ToString().ShouldContain("The source refused TIME");
        KeyContents.CountIn(pair.To).ShouldBe(0);
    }

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private static void Kill(RedisConnection server, string name)
    {
        foreach (var client in server.Execute("CLIENT", "LIST").Text.Split('\n').Where(one => one.Contains(name)))
            server.Request("CLIENT", "KILL", "ID", client.Split(' ')[0].Split('=')[1]);
    }
}
