using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Verify;

public class VerifyLossTests
{
    private const int Keys = 6_000;

    [Fact]
    public async Task Connections_ThatAreCut_CostNothing()
    {
        await using var pair = await SyncPair.Start();
        foreach (var server in (RedisConnection[])[pair.From, pair.To])
            server.Execute("EVAL", "for i = 1, ARGV[1] do redis.call('RPUSH', i, i) end", "0", $"{Keys}");
        await using var process = SyncProcess.Start(
            "verify", pair.Source.Uri, pair.Target.Uri, "--rate", "4000", "--pause", "50ms");
        foreach (var server in (RedisConnection[])[pair.From, pair.To, pair.From])
        {
            await process.Until("it reads there", () => server.Request(Redis.Resp.RespLimits.List, "CLIENT", "LIST").Text
                .Contains("name=redislatency-verify", StringComparison.Ordinal));
            server.Execute("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        }

        var (code, record) = await process.End().End(process);
        code.ShouldBe(0, process.ToString());
        record.Synced("equal").ShouldBe(Keys);
    }

    [Fact]
    public async Task Server_ThatIsNotBack_EndsIt()
    {
        await using var pair = await SyncPair.Start();
        foreach (var server in (RedisConnection[])[pair.From, pair.To])
            server.Execute("EVAL", "for i = 1, ARGV[1] do redis.call('SET', i, i) end", "0", $"{Keys}");
        await using var process = SyncProcess.Start(
            "verify", pair.Source.Uri, pair.Target.Uri, "--rate", "1000", "--reconnect-timeout", "100ms");
        await process.Until("it reads there", () => pair.To.Request(Redis.Resp.RespLimits.List, "CLIENT", "LIST").Text
            .Contains("name=redislatency-verify", StringComparison.Ordinal));
        await pair.Target.Kill();

        var (code, record) = await process.End().End(process);

        code.ShouldBe(5, process.ToString());
        record["partial"]!.GetValue<bool>().ShouldBeTrue();
        record["thresholds"]!.AsArray().ShouldBeEmpty();
    }

    // Where a scan is, the new process does not know.
    [Fact]
    public async Task Server_ThatIsStartedAgain_EndsIt()
    {
        await using var pair = await SyncPair.Start();
        foreach (var server in (RedisConnection[])[pair.From, pair.To])
            server.Execute("EVAL", "for i = 1, ARGV[1] do redis.call('SET', i, i) end", "0", $"{Keys}");
        await using var process = SyncProcess.Start("verify", pair.Source.Uri, pair.Target.Uri, "--rate", "1000");
        await process.Until("it scans there", () => pair.From.Request("INFO", "commandstats").Text
            .Contains("cmdstat_scan:", StringComparison.Ordinal));
        await pair.Source.Kill();
        await pair.Source.Restart();

        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("was started again");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Slots_ThatMoveAtEitherEnd_MakeItNotValid(bool atSource)
    {
        await using var cluster = await RedisClusterProcesses.Start(
            new RedisClusterOptions { Primaries = 2, ReplicasPerPrimary = 0 });
        await using var server = await RedisServerProcess.Start();
        using var move = MovingSlot.Begin(cluster, "a"u8);

        var record = await VerifyProcess.Run(
            atSource ? cluster.Uri : server.Uri, atSource ? server.Uri : cluster.Uri, 4);

        record["verdict"]!.ToJsonString().ShouldContain("Slots moved while they were scanned");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Keys_OfASlotInTheMiddleOfItsMove_AreComparedAtBothServers(bool atSource)
    {
        await using var cluster = await RedisClusterProcesses.Start(
            new RedisClusterOptions { Primaries = 2, ReplicasPerPrimary = 0 });
        await using var server = await RedisServerProcess.Start();
        using var owner = cluster.Open(cluster.PrimaryOf(Redis.Topology.KeySlot.Of("a"u8)));
        using var other = SyncProcess.Open(server.Uri);
        for (var i = 0; i < 40; i++)
        {
            owner.Execute("RPUSH", "{a}" + i, "1", "2");
            other.Execute("RPUSH", "{a}" + i, "1", "2");
        }

        using var move = MovingSlot.Begin(cluster, "a"u8);
        move.MoveKeys(20);
        other.Execute("RPUSH", "{a}missing", "1");

        var record = await VerifyProcess.Run(
            atSource ? cluster.Uri : server.Uri, atSource ? server.Uri : cluster.Uri, 4);

        (record.Synced("equal"), record.Synced("differences"), record.Synced("unread"))
            .ShouldBe((40, 1, 0), record["verdict"]!.ToJsonString());
    }
}
