using RedisLatency.Fixtures;
using RedisLatency.Replication.Tests.Probe;

namespace RedisLatency.Replication.Tests.Sync;

public class LagTests
{
    [Fact]
    public async Task Lag_IsFromWhenACommandCame_AndNotFromTheOneBefore()
    {
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst();

        for (var i = 0; i < 9; i++)
        {
            await Task.Delay(300, TestContext.Current.CancellationToken);
            pair.From.Execute("SET", "key", $"{i}");
        }

        await process.Until("the last is there", () => pair.To.Execute("GET", "key").Text == "8");
        var (_, record) = await process.EndBy("INT").End(process);
        record.Series("lag")["count"]!.GetValue<long>().ShouldBe(10);
        record.Mean("lag").ShouldBeLessThan(150e6);
    }

    [Fact]
    public async Task Rate_IsThatOfWhatTheTargetGets()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("EVAL", "for i = 1, 60 do redis.call('SET', i, 1) end", "0");
        await using var process = ServiceProcess.Start(
            "Replication", "sync", "--source", pair.Source.Uri, "--destination", pair.Target.Uri, "--no-stream",
            "--rate", "20", "--live", "plain");

        await process.Until("some are there", () => pair.To.Execute("DBSIZE").Number > 0);

        pair.To.Execute("DBSIZE").Number.ShouldBeLessThan(40);
        (await process.End()).ShouldBe(0, process.ToString());
        pair.To.Execute("DBSIZE").Number.ShouldBe(60);
        process.Errors.ToString().ShouldMatch(@"\n +0:0[1-9] ");
    }
}
