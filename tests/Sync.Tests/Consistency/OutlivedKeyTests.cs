using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Server;
using RedisLatency.Sync.Consistency;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Consistency;

/// <summary>Commands that come to the target only after a key that they use has expired there.</summary>
public sealed class OutlivedKeyTests
{
    // After the moment at which the commands are given. All that comes before is carried out by then, also on a machine
    // that is busy.
    private const int EndsInMs = 1500;

    // Stands for that time in a command.
    private const string End = "END";

    [Theory]
    [InlineData("INCR c", "c")]
    [InlineData("INCR c|PEXPIREAT c 1999999999999", "c")]
    [InlineData("INCR c|PEXPIREAT c 1000", "")]
    [InlineData("HSET h g 2", "h")]
    [InlineData("SET c 6 KEEPTTL", "c")]
    [InlineData("SUNIONSTORE d s t", "d")]
    [InlineData("ZUNIONSTORE d 2 s t|DEL d", "")]
    [InlineData("MULTI|APPEND c 1|SET x 1|EXEC", "c")]
    [InlineData("INCR renamed", "renamed")]
    [InlineData("INCR c|DEL c", "")]
    [InlineData("INCR c|SET c 6", "")]
    [InlineData("INCR c|FLUSHALL", "")]
    [InlineData("SORT s ALPHA STORE d", "d")]
    [InlineData("SUNIONSTORE s t|SADD s b", "")]
    [InlineData("SUNIONSTORE s s t", "s")]
    [InlineData("ZINTERSTORE s 2 t s", "s")]
    [InlineData("BITOP OR c c none", "c")]
    [InlineData("SORT s ALPHA STORE s", "s")]
    [InlineData("GEOSEARCHSTORE g g FROMLONLAT 1 1 BYRADIUS 9 km", "g")]
    [InlineData("SUNIONSTORE u s|SUNIONSTORE s u|DEL u", "s")]
    [InlineData("FLUSHDB|INCR c", "")]
    [InlineData("SWAPDB 0 1|SELECT 1|INCR c", "c")]
    [InlineData("SWAPDB 0 1|INCR c", "")]
    [InlineData("SREM s a|SADD s b", "s")]
    [InlineData("ZUNIONSTORE tmp 2 s t|ZRANGESTORE top tmp 0 1 REV|DEL tmp", "top")]
    [InlineData("SUNIONSTORE tmp s t|RENAME tmp d|SUNIONSTORE tmp t", "d")]
    [InlineData("SUNIONSTORE d s t|SUNIONSTORE d t", "")]
    [InlineData("INCR c|COPY c d|DEL c", "d")]
    [InlineData("INCR c|COPY c d DB 1|DEL c", "d")]
    [InlineData("INCR c|RENAME c d|DEL d", "")]
    [InlineData("INCR c|RENAME c 7|COPY 7 d|DEL 7|DEL d", "")]
    [InlineData("INCR c|MOVE c 1|SET c 5", "c")]
    [InlineData("INCR c|MOVE c 1|SELECT 1|DEL c", "")]
    [InlineData("INCR c|SWAPDB 0 1|DEL c", "c")]
    [InlineData("INCR c|SWAPDB 0 1|SELECT 1|DEL c", "")]
    [InlineData("INCR moved", "")]
    [InlineData("SELECT 1|INCR moved", "moved")]
    [InlineData("SET c 6|INCR c", "")]
    [InlineData("SELECT 1|INCR c", "")]
    [InlineData("MULTI|INCR persisted|INCR c|EXEC|DEL c", "")]
    [InlineData("MULTI|INCR persisted|INCR c|SELECT 1|INCR moved|EXEC|DEL moved", "c")]
    [InlineData("LPOP l", "l")]
    [InlineData("LPOP l|DEL l", "")]
    [InlineData("INCR later|INCR persisted|INCR replaced|SADD t e", "")]
    public async Task Key_ThatIsBegunAnew_IsDoubted_UntilItIsReplaced(string commands, string expected)
    {
        var counts = await Run(commands, pauseMs: EndsInMs + 100);

        ShouldLack(counts, KeyLack.Possible, expected);
    }

    [Theory]
    [InlineData("PSETEX x 500 5|SET through 1", "APPEND x 6", 600)]
    [InlineData("SET x 5 PX 500", "APPEND x 6", 600)]
    [InlineData("SETEX x 1 5", "APPEND x 6", 1100)]
    [InlineData("SET x 5|EXPIRE x 1", "APPEND x 6", 1100)]
    [InlineData("SET x 5|PEXPIRE x 500", "APPEND x 6", 600)]
    [InlineData("SET x EX", "APPEND x 6", 0)]
    public async Task Key_OfASourceThatSaysHowLong_IsDoubted(string first, string second, int pauseMs)
    {
        await using var target = await RedisServerProcess.Start();

        var counts = await Run(target.Uri, first.Split('|'), [second], pauseMs);

        counts.Lacking.Count(KeyLack.Possible).ShouldBe(pauseMs == 0 ? 0 : 1);
    }

    [Fact]
    public void Keys_OfWhichTheNamesAreTooMany_AreCounted()
    {
        const int Kept = 1 << 16;
        var keys = new LackingKeys();
        for (var i = 0; i <= Kept; i++)
            keys.Set(0, $"key:{i}", KeyLack.Possible);
        (keys.Count(KeyLack.Possible), keys.First(KeyLack.Possible)).ShouldBe((Kept + 1, "key:0"));

        keys.Empty(0);

        (keys.Count(KeyLack.Possible), keys.First(KeyLack.Possible)).ShouldBe((1, "(not kept)"));
    }

    // It finds no key, or none as the source had it; so does what comes behind it, until the key is replaced.
    [Theory]
    [InlineData("LSET l 0 b", "l")]
    [InlineData("LSET l 0 b|DEL l", "")]
    [InlineData("RPUSH l b|LSET l 1 c", "l")]
    [InlineData("XCLAIM x g consumer 0 1-1 JUSTID", "x")]
    [InlineData("XGROUP SETID x g 0", "x")]
    [InlineData("XSETID x 5-5", "x")]
    [InlineData("GEOADD g 2 2 n|GEOSEARCHSTORE d g FROMMEMBER m BYRADIUS 1 m|DEL g", "d")]
    [InlineData("MULTI|LSET l 0 b|SET through 1|EXEC", "l")]
    [InlineData("PEXPIREAT l 1999999999999", "l")]
    [InlineData("PEXPIREAT l 1999999999999|FLUSHALL", "")]
    [InlineData("PEXPIREAT l 1999999999999|LSET l 0 z|LSET l 0 y", "l")]
    [InlineData("PEXPIREAT x 1999999999999|XADD x 2-1 f v|XGROUP CREATECONSUMER x g consumer", "x")]
    [InlineData("RENAME l t|RPUSH t b", "t")]
    [InlineData("RENAME l t|RPUSH t b|SET t 1", "")]
    [InlineData("COPY c t|DEL t", "")]
    [InlineData("MOVE l 1|SELECT 1|LSET l 0 b", "l")]
    [InlineData("MULTI|SELECT 1|SET x 1|SELECT 0|PERSIST l|EXEC|SELECT 1|DEL l", "l")]
    [InlineData("MULTI|SELECT 1|PERSIST moved|EXEC|SELECT 0|DEL moved", "moved")]
    public async Task Key_ThatACommandDoesNotFind_Lacks_UntilItIsReplaced(string commands, string expected)
    {
        var counts = await Run(commands, EndsInMs + 100);

        ShouldLack(counts, KeyLack.Certain, expected);
    }

    [Fact]
    public async Task Keys_ThatEndLast_AreNotFollowed_WhereThereAreTooMany()
    {
        const int FewAreKept = 1 << 16;
        await using var target = await RedisServerProcess.Start();
        var later = UnixTime.NowMs() + EndsInMs;
        var first = Enumerable.Range(0, 8).Select(i => $"SET k{i} 5 PXAT {later + ((8 - i) * 100_000)}")
            .Append($"SET c 5 PXAT {End}");

        var counts = await Run(target.Uri, [.. first], ["INCR c"], EndsInMs + 100, FewAreKept);

        (counts.Lacking.Count(KeyLack.Possible), counts.Unfollowed).ShouldBe((1, 6));
    }

    [Theory]
    [InlineData("INCR c", 0, 0)]
    [InlineData("INCR c", EndsInMs + 1200, 1)]
    [InlineData("SADD emptied b", EndsInMs + 100, 0)]
    public async Task Key_OfWhichTheSourceHasNotSaidThatItExpired_IsDoubted_UnlessItWasEmptied(
        string commands, int pauseMs, int expected) =>
        (await Run(commands, pauseMs)).Lacking.Count(KeyLack.Possible).ShouldBe(expected);

    [Fact]
    public async Task Key_AtATargetWhoseClockIsAhead_IsDoubtedByThatClock()
    {
        using var target = InProcessServer.Start(new InProcessServerOptions { TimeProvider = new AheadTime() });
        using var to = SyncProcess.Open(target.Endpoint);

        var counts = await Run(
            target.Endpoint, [$"SET c 5 PXAT {End}", "SET late 5 PXAT 1999"], ["INCR c", "INCR late"], EndsInMs + 100,
            aheadMs: AheadTime.Ms);

        to.Execute("GET", "c").Text.ShouldBe("1");
        ShouldLack(counts, KeyLack.Possible, "c");
        counts.Ended.ShouldBe(1);
    }

    [Theory]
    [InlineData("Doubtful", "PX", "86400000")]
    [InlineData("Valid")]
    public async Task Target_WhoseClockIsAhead_IsDoubted_WhereKeysExpire(string verdict, params string[] time)
    {
        await using var source = await RedisServerProcess.Start();
        using var target = InProcessServer.Start(new InProcessServerOptions { TimeProvider = new AheadTime() });
        using var from = SyncProcess.Open(source.Uri);
        from.Execute(["SET", "key", "1", .. time]);

        var record = await SyncProcess.Run("scan", source.Uri, target.Endpoint, 0);

        record["verdict"]!["status"]!.GetValue<string>().ShouldBe(verdict);
        record["verdict"]!.ToJsonString().Contains("The target\\u0027s clock is 3,600 s ahead of the source")
            .ShouldBe(verdict == "Doubtful");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false, "--block-command", "GETDEL")]
    public async Task Counter_ThatExpiresAtATargetThatStandsStill_MakesTheRunDoubtful_OrIsNoted(
        bool isAllCarriedOver, params string[] arguments)
    {
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst(arguments);
        pair.From.Execute("RPUSH", "names", "er", "other");
        await process.Until("they are there", () => pair.To.Execute("EXISTS", "names").Number == 1);

        await pair.StandStill(process, Meanwhile, "counter", "short");
        await process.Until("the source has deleted the other", () => pair.From.Execute("EXISTS", "short").Number == 0);
        pair.From.Execute("SET", "last", "1");
        await process.Until("the last is there", () => pair.To.Execute("EXISTS", "last").Number == 1);
        var (code, record) = await process.EndBy("INT").End(process);

        (pair.From.Execute("GET", "counter").Text, pair.To.Execute("GET", "counter").Text).ShouldBe(("6", "1"));
        code.ShouldBe(130, process.ToString());
        record["verdict"]!.ToJsonString()
            .ShouldMatch("2 keys may lack what the source has, the first (counter|sorted): ");
        record["verdict"]!["status"]!.GetValue<string>().ShouldBe(isAllCarriedOver ? "Doubtful" : "Valid");

        void Meanwhile()
        {
            pair.From.Execute("SORT", "names", "BY", "nothing", "GET", "count*", "STORE", "sorted").Number.ShouldBe(2);
            pair.From.Execute("INCR", "short").Number.ShouldBe(6);
            pair.From.Execute("INCR", "counter").Number.ShouldBe(6);
            pair.From.Execute("PEXPIRE", "counter", "60000").Number.ShouldBe(1);
        }
    }

    // The first holds up what comes behind it, which was received in time all the same.
    [Fact]
    public async Task Counter_ThatExpiresWhileACommandBeforeItIsAwaited_IsDoubted()
    {
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst();

        await pair.StandStill(process, Meanwhile, "counter");
        pair.From.Execute("DEL", "copy");
        pair.From.Execute("SET", "last", "1");
        await process.Until("the last is there", () => pair.To.Execute("EXISTS", "last").Number == 1);
        var (_, record) = await process.EndBy("INT").End(process);

        record["verdict"]!["status"]!.GetValue<string>().ShouldBe("Doubtful", process.ToString());
        record["verdict"]!.ToJsonString().ShouldContain("1 keys may lack what the source has, the first counter: ");

        void Meanwhile()
        {
            pair.From.Execute("COPY", "counter", "copy").Number.ShouldBe(1);
            TestContext.Current.CancellationToken.WaitHandle.WaitOne(100);
            pair.From.Execute("INCR", "counter").Number.ShouldBe(6);
            pair.From.Execute("PEXPIRE", "counter", "60000").Number.ShouldBe(1);
        }
    }

    // Both were emptied, and the source says nothing then.
    [Theory]
    [InlineData("Valid", 0)]
    [InlineData("Doubtful", 1, "--rename-prefix", "other:=another:")]
    public async Task List_ThatIsEmptiedAfterItExpiredAtTheTarget_IsNotDoubted_OnceNeitherHasIt(
        string verdict, int doubted, params string[] arguments)
    {
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst(arguments);
        pair.From.Execute("RPUSH", "list", "1");
        pair.From.Execute("PEXPIRE", "list", SyncPair.LifeMs);
        await pair.StandStill(process, () => pair.From.Execute("LPOP", "list").Text.ShouldBe("1"), "short");
        pair.From.Execute("SET", "last", "1");
        await process.Until("the last is there", () => pair.To.Execute("EXISTS", "last").Number == 1);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record["verdict"]!["status"]!.GetValue<string>().ShouldBe(verdict);
        record["verdict"]!.ToJsonString().Split("may lack").Length.ShouldBe(1 + doubted);
    }

    private static void ShouldLack(SyncCounts counts, KeyLack lack, string key)
    {
        KeyLack[] both = [KeyLack.Possible, KeyLack.Certain];
        both.Select(one => counts.Lacking.Count(one))
            .ShouldBe(both.Select(one => one == lack && key.Length > 0 ? 1L : 0));
        if (key.Length > 0)
            counts.Lacking.First(lack).ShouldBe(key);
        counts.Skipped.ShouldBe(0);
    }

    private static async Task<SyncCounts> Run(string commands, int pauseMs)
    {
        await using var target = await RedisServerProcess.Start();
        string[] first =
        [
            $"SET c 5 PXAT {End}", "HSET h f 1", $"PEXPIREAT h {End}", "SADD s a", $"PEXPIREAT s {End}", "SADD t b",
            $"SET first 5 PXAT {End}", "RENAME first renamed", $"SET later 5 PXAT {End}",
            "PEXPIREAT later 1999999999999",
            "SADD emptied a", $"PEXPIREAT emptied {End}", "SREM emptied a", $"SET persisted 5 PXAT {End}",
            $"SET moved 5 PXAT {End}", "MOVE moved 1", "RPUSH l a", $"PEXPIREAT l {End}", "XADD x 1-1 f v",
            "XGROUP CREATE x g 0", $"PEXPIREAT x {End}",
            "GEOADD g 1 1 m", $"PEXPIREAT g {End}", "PERSIST persisted", $"SET replaced 5 PXAT {End}", "SET replaced 5",
        ];
        return await Run(target.Uri, first, commands.Split('|'), pauseMs);
    }

    private static Task<SyncCounts> Run(
        string target, string[] first, string[] second, int pauseMs, int shards = 1, int aheadMs = 0)
    {
        var plan = new MiddlePlan { ExtendsLateExpiry = true, EndsOnlyWithTime = true, Shards = shards };
        var cancellation = TestContext.Current.CancellationToken;
        var end = new Lazy<string>(
            () => (UnixTime.NowMs() + aheadMs + EndsInMs).ToString(CultureInfo.InvariantCulture));
        var reader = new GivenInTwo(
            first.Select(command => command.Replace(End, end.Value, StringComparison.Ordinal)), second,
            () => cancellation.WaitHandle.WaitOne(pauseMs));
        return Task.Run(
            () =>
            {
                // All of it is compiled then.
                GivenSync.Run(target, plan, 1, "SET ready 1");
                return GivenSync.Run(target, plan, 1, reader);
            },
            cancellation);
    }

    private sealed class AheadTime : TimeProvider
    {
        public const int Ms = 3_600_000;

        public override DateTimeOffset GetUtcNow() => System.GetUtcNow().AddMilliseconds(Ms);
    }
}
