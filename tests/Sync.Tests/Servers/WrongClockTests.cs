using RedisLatency.Fixtures;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Servers;

/// <summary>Keys expire by the clocks of the servers: the one of the machine that copies may be wrong.</summary>
public sealed class WrongClockTests
{
    [Theory]
    [InlineData("+120s")]
    [InlineData("-120s")]
    public async Task Lock_ThatIsRenewed_IsAtTheTargetAsAtTheSource(string ahead)
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "kept", "1", "PX", "60000");
        pair.From.Execute("SET", "renewed", "1", "PX", "60000");
        await using var process = SyncProcess.StartWithClock(ahead, "sync", pair.Source.Uri, pair.Target.Uri);
        await process.Until("the data set is there", () => pair.To.Execute("EXISTS", "kept", "renewed").Number == 2);
        for (var i = 0; i < 20; i++)
        {
            pair.From.Execute("SET", "renewed", $"{i}", "PX", "60000");
            pair.From.Execute("PEXPIRE", "kept", "60000");
            pair.From.Execute("INCR", "renewed");
        }

        pair.From.Execute("SET", "last", "1");
        await process.Until("the last is there", () => pair.To.Execute("EXISTS", "last").Number == 1);
        var (_, record) = await process.EndBy("INT").End(process);

        foreach (var key in new[] { "kept", "renewed" })
        {
            pair.To.Execute("PEXPIRETIME", key).Number.ShouldBe(pair.From.Execute("PEXPIRETIME", key).Number);
        }

        pair.To.Execute("GET", "renewed").Text.ShouldBe("20");
        process.ToString().ShouldNotContain("times to live were over");
        record["verdict"]!["doubts"]?.AsArray().ShouldBeEmpty();
    }

    [Fact]
    public async Task Function_ThatGivesATimeToLive_CountsFromTheServersNow()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "key", "1");
        await using var process = SyncProcess.StartWithClock(
            "+120s", "scan", pair.Source.Uri, pair.Target.Uri,
            "--function-code", "shake.call(DB, {'RESTORE', KEYS[1], '60000', ARGV[4]})");

        (await process.End()).ShouldBe(0, process.ToString());

        pair.To.Execute("PTTL", "key").Number.ShouldBeInRange(1, 60_000);
    }
}
