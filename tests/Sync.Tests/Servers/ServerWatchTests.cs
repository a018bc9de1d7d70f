using RedisLatency.Fixtures;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Servers;

/// <summary>
/// A target expires keys by its own clock, which must not be ahead of the source's; slots of a source stay where they are.
/// </summary>
public class ServerWatchTests
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);

    [Theory]
    [InlineData("sync")]
    [InlineData("scan")]
    public async Task Target_WhoseClockIsAhead_IsRefused(string verb)
    {
        using var clock = await SettableClock.Make(Hour);
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.StartWithClock(clock);
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("SET", "key", "1");

        (await SyncProcess.Refusal(verb, source.Uri, target.Uri, 3)).ShouldContain("ahead of the source's");

        to.Execute("DBSIZE").Number.ShouldBe(0);
    }

    [Fact]
    public async Task Target_WhoseClockIsSetAhead_EndsTheRun()
    {
        using var clock = await SettableClock.Make(TimeSpan.Zero);
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.StartWithClock(clock);
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("SET", "key", "1", "EX", "1000");
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await process.Until("it is there", () => to.Execute("EXISTS", "key").Number == 1);

        clock.Set(Hour);

        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("ahead of the source's");
        process.Errors.ToString().ShouldContain(SyncRun.BeginsAnew);
        clock.Set(TimeSpan.Zero);
        (await SyncProcess.Refusal("sync", source.Uri, target.Uri, 5)).ShouldContain("is not exact any more");
    }

    [Fact]
    public async Task Source_OfWhichASlotIsOnTheMove_IsRefused_AndEndsTheRun()
    {
        await using var source = await Ends.Start(isCluster: true);
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);
        source.Execute("a", "SET", "a", "1");
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await process.Until("it is there", () => to.Execute("EXISTS", "a").Number == 1);

        using (MovingSlot.Begin(source.Cluster!, "a"u8))
        {
            (await process.End()).ShouldBe(5, process.ToString());
            process.Errors.ToString().ShouldContain("Slots of the source moved");
            (await SyncProcess.Refusal(
                "sync", source.Uri, target.Uri, 3, "--checkpoint", "anew", "--empty-destination"))
                .ShouldContain("Slots of the source moved");
        }
    }

    // What moved while no run looked is of another order, too.
    [Fact]
    public async Task Source_OfWhichASlotMovedBetweenTwoRuns_IsNotGoneOnWith()
    {
        await using var source = await Ends.Start(isCluster: true);
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);
        source.Execute("a", "SET", "a", "1");
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await process.Until("it is there", () => to.Execute("EXISTS", "a").Number == 1);
        await process.Until("it is kept", () => to.Execute("HLEN", "redislatency:checkpoint").Number >= 3);
        (await process.EndBy("KILL")).ShouldBe(137);

        var cluster = source.Cluster!;
        await cluster.MigrateSlots(cluster.PrimaryOf(16383), cluster.PrimaryOf(0), 16383, 16383);

        (await SyncProcess.Refusal("sync", source.Uri, target.Uri, 3)).ShouldContain("slots of the source have moved");
    }

    [Fact]
    public async Task Target_WhoseClockIsBehind_HasTheSourcesTimes_AndLosesKeysWithTheSource()
    {
        using var clock = await SettableClock.Make(-Hour);
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.StartWithClock(clock);
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("SET", "key", "1", "EX", "1000");
        from.Execute("SET", "short", "1");
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await process.Until("both are there", () => to.Execute("EXISTS", "key", "short").Number == 2);

        from.Execute("PEXPIRE", "short", "1").Number.ShouldBe(1);
        await process.Until("it is gone", () => to.Execute("EXISTS", "short").Number == 0);

        to.Execute("PEXPIRETIME", "key").Number.ShouldBe(from.Execute("PEXPIRETIME", "key").Number);
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());
    }
}
