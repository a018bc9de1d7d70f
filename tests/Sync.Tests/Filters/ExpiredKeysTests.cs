using RedisLatency.Fixtures;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Filters;

/// <summary>Times to live that are over before they are carried over.</summary>
public sealed class ExpiredKeysTests
{
    private const string Late = "SET q 1 PXAT 1000";

    [Theory]
    [InlineData(Late, "", 1)]
    [InlineData(Late + "|INCR q", "", 1)]
    [InlineData(Late + "|SET q 2", "q", 0)]
    [InlineData(Late + "|SET q 2 XX", "q", 0)]
    [InlineData(Late + "|SET q 2 KEEPTTL", "", 1)]
    [InlineData(Late + "|PERSIST q", "q", 0)]
    [InlineData(Late + "|PEXPIREAT q 1999999999999 LT", "q 1999999999999", 0)]
    [InlineData(Late + "|DEL q|SET q 2 NX", "q", 0)]
    [InlineData(Late + "|SET x 1|RENAME x q", "q", 0)]
    [InlineData(Late + "|RENAME q x|DEL x", "", 0)]
    [InlineData(Late + "|MOVE q 1|SET q 2|SELECT 1|DEL q", "q", 0)]
    [InlineData(Late + "|SET x 1|MOVE x 1", "", 1)]
    [InlineData("SADD q a|PEXPIREAT q 1000|SREM q a", "", 0)]
    [InlineData("SADD q a|PEXPIREAT q 1000|SREM q a|SADD q b", "q", 0)]
    [InlineData("RPUSH q a b|PEXPIREAT q 1000|LPOP q|PEXPIREAT q 1999999999999", "q 1999999999999", 0)]
    [InlineData("SADD s a|" + Late + "|SUNIONSTORE q s|DEL s", "q", 0)]
    [InlineData(Late + "|BITOP NOT q s", "", 0)]
    [InlineData(Late + "|SWAPDB 0 1|FLUSHALL", "", 0)]
    [InlineData(Late + "|SWAPDB 0 1|SWAPDB 1 1|SET q 2", "q", 0)]
    [InlineData(Late + "|EVAL return 0|DEL q", "", 0)]
    [InlineData(Late + "|EVAL redis.call('PEXPIRE',KEYS[1],600000) 1 q|PERSIST q", "q", 0)]
    [InlineData(Late + "|EVAL redis.call('PERSIST',KEYS[1]) 1 q", "q", 0)]
    [InlineData(Late + "|EVAL redis.call('RENAME',KEYS[1],KEYS[2]) 2 q x|PERSIST x|DEL q", "x", 0)]
    [InlineData(Late + "|FLUSHALL|SETNX q 1", "q", 0)]
    [InlineData(Late + "|SELECT 1|SET q 2|SELECT 0|SWAPDB 0 1", "q", 0)]
    public async Task Key_WhoseTimeIsOver_StaysUntilTheEnd_OrAsLaterCommandsSay(
        string commands, string expected, int ended)
    {
        await using var target = await RedisServerProcess.Start();

        var counts = GivenSync.Run(
            target.Uri, new TransformPlan { ExtendsExpiredKeys = true }, 1, commands.Split('|'));

        using var to = SyncProcess.Open(target.Uri);
        var keys = to.Execute("KEYS", "*").Items.Select(key => key.Text);
        string.Join('|', keys.Select(key => to.Execute("PEXPIRETIME", key).Text is var time and not "-1"
            ? $"{key} {time}"
            : key)).ShouldBe(expected);
        (counts.Ended, counts.Skipped).ShouldBe((ended, 0));
    }

    [Theory]
    [InlineData(Late + "|RENAME q q")]
    [InlineData(Late + "|COPY q x|DEL q")]
    [InlineData("RPUSH q a b|PEXPIREAT q 1000|LPOP q")]
    public async Task Key_ThatALaterCommandNames_StaysForAnHour(string commands)
    {
        await using var target = await RedisServerProcess.Start();

        GivenSync.Run(target.Uri, new TransformPlan { ExtendsExpiredKeys = true }, 1, commands.Split('|'))
            .Ended.ShouldBe(0);

        using var to = SyncProcess.Open(target.Uri);
        var key = to.Execute("KEYS", "*").Items.Single().Text;
        to.Execute("PTTL", key).Number.ShouldBeInRange(1, ExpiredKeys.ExtendedByMs);
    }

    [Fact]
    public async Task Key_ThatIsOverAtTheSource_IsDeletedAtTheEnd_IfAllWasRead()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("DEBUG", "SET-ACTIVE-EXPIRE", "0");
        pair.From.Execute("SET", "over", "1", "PX", "1");
        await Task.Delay(50, TestContext.Current.CancellationToken);
        await using var process = await pair.SyncFirst();
        await process.Until("both keys are there", () => KeyContents.CountIn(pair.To) == 2);

        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        KeyContents.Of(pair.Target).Keys.ShouldBe(["0/first"]);
        record.ToJsonString().ShouldContain("1 keys that no later command named were ended when all was read");
        (record.Synced("read"), record.Synced("written"), record.Synced("commands")).ShouldBe((2, 2, 0));
    }
}
