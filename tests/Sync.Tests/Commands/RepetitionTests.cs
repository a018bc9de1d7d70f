using RedisLatency.Fixtures;
using RedisLatency.Hosting.Running;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Commands;

/// <summary>Commands that are carried out once more: equal in the end, or the run ends.</summary>
public class RepetitionTests
{
    // The first of the second part is refused while there is no memory, what only takes some away is not.
    [Theory]
    [InlineData("SET a hello", "COPY a b|DEL a")]
    [InlineData("SADD a x|SADD b y", "SUNIONSTORE d a b|DEL a b")]
    [InlineData("ZADD z 2 m 1 x", "ZINCRBY z 3 m|ZREMRANGEBYSCORE z 0 3")]
    [InlineData("SADD s a|PEXPIREAT s 1999999999999", "SADD s b|SREM s a")]
    [InlineData("RPUSH l 1 2", "RPUSH l 3|DEL l|LPOP l")]
    public async Task Command_ThatNeedsWhatALaterOneTook_EndsTheRun(string before, string commands)
    {
        await using var target = await RedisServerProcess.Start();

        var problem = Should.Throw<TargetLostException>(() => WithoutMemory(target, before, commands));

        problem.Message.ShouldContain("To send both again in their order may change the data");
    }

    [Theory]
    [InlineData("SADD s a|PEXPIREAT s 1999999999999", "SADD s b|SADD s c|PEXPIREAT s 1999999999998")]
    [InlineData("SET k 5", "INCR k|PEXPIREAT k 1999999999999")]
    [InlineData("SET k 5", "INCR k|DEL k|SET k 1")]
    [InlineData("HSET h f 1 g 2", "SET other 1|HDEL h f|DEL h")]
    [InlineData("SET a 1|SELECT 1|SET k one|SELECT 0|SET k zero", "MULTI|SET a 2|SELECT 1|SET b 2|EXEC|DEL k|SET later 1")]
    public async Task Commands_ThatAreRefusedAndOvertaken_EndAsInTheirOrder(string before, string commands)
    {
        await using var target = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        await using var truth = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        using var to = SyncProcess.Open(target.Uri);

        var run = Task.Run(
            () => WithoutMemory(target, before, commands), TestContext.Current.CancellationToken);
        await Eventually.Is("they are refused", () => to.Request("INFO", "errorstats").Text.Contains("OOM"));
        to.Execute("CONFIG", "SET", "maxmemory", "0");
        await run;

        using var plain = SyncProcess.Open(truth.Uri);
        Array.ForEach($"{before}|{commands}".Split('|'), command => plain.Execute(command.Split(' ')));
        KeyContents.Of(target).ShouldBe(KeyContents.Of(truth));
    }

    [Theory]
    [InlineData("SADD s a b|PEXPIREAT s 1999999999999", "SREM s a|SADD s a|SADD s b", "SREM s")]
    [InlineData("ZADD z 50 m 1 x", "ZADD z 1 y|ZADD z XX 5 m", "ZADD z")]
    [InlineData("SADD s a b|PEXPIREAT s 1999999999999", "SADD s c|PEXPIREAT s 1999999999998|DEL k|SET k 1", null)]
    [InlineData("HSET h f 1", "MULTI|HSET h g 2|PERSIST h|EXEC|SET k 1", null)]
    [InlineData("PFADD s a|PFADD d b", "PFMERGE d s|PFADD s c", "PFMERGE d")]
    [InlineData("SET k 5", "MULTI|SET a 1|INCR k|EXEC", "INCR k")]
    public async Task Commands_WhoseAnswersAreLost_AreSentAgain_WhereThatIsSafe(
        string before, string commands, string? unsafeOne)
    {
        await using var target = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        await using var truth = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        using var to = SyncProcess.Open(target.Uri);
        var port = FreePort.Next();
        var link = TcpLink.Start(port, target);
        Task? cut = null;
        var reader = new GivenInTwo(before.Split('|'), commands.Split('|'), () =>
        {
            to.Execute("CLIENT", "PAUSE", "1000", "ALL");
            cut = Task.Delay(300, TestContext.Current.CancellationToken)
                .ContinueWith(_ => link.Dispose(), TaskScheduler.Default);
        });

        var run = Task.Run(
            () => GivenSync.Run($"redis://127.0.0.1:{port}", new TransformPlan(), 1, reader),
            TestContext.Current.CancellationToken);
        await Eventually.Is("it was cut", () => cut is { IsCompleted: true });
        using var again = TcpLink.Start(port, target);

        if (unsafeOne is not null)
        {
            (await Should.ThrowAsync<TargetLostException>(() => run)).Message
                .ShouldContain($"{unsafeOne} was carried out is not known");
            return;
        }

        await run;
        using var plain = SyncProcess.Open(truth.Uri);
        Array.ForEach($"{before}|{commands}".Split('|'), command => plain.Execute(command.Split(' ')));
        KeyContents.Of(target).ShouldBe(KeyContents.Of(truth));
    }

    [Fact]
    public async Task Transaction_ThatWasCarriedOutInPart_IsNotCarriedOutAgain()
    {
        await using var target = await Ends.Start(isCluster: true);
        target.Execute("a", "SET", "{a}k", "text");
        target.Execute("a", "SET", "{a}count", "1");
        using var move = MovingSlot.Begin(target.Cluster!, "a"u8);
        // DEL is refused, as one of its keys is there and the other is not. SET waits for the end of the pause, and
        // what stands behind it.
        string[] commands =
            ["SET {a}k text", "DEL {a}k {a}not", "MULTI", "INCR {a}count", "RPUSH {a}k x", "EXEC"];
        var reader = new GivenInTwo(
            ["SET {a}k text"], commands, () => move.From.Execute("CLIENT", "PAUSE", "500", "ALL"));

        Should.Throw<TargetLostException>(() => GivenSync.Run(target.Uri, new TransformPlan(), 1, reader))
            .Message.ShouldContain("a transaction that begins with INCR was carried out before DEL");

        move.From.Execute("GET", "{a}count").Text.ShouldBe("2");
    }

    [Fact]
    public async Task Server_ThatCloses_WhatIsIdle_IsAskedOverANewConnection()
    {
        await using var target = await Ends.Start(isCluster: true);
        using var move = MovingSlot.Begin(target.Cluster!, "a"u8);
        GivenSync.Run(target.Uri, new TransformPlan(), 1, new GivenInTwo(["INCR {a}new"], ["INCR {a}new"], () =>
        {
            move.To.Execute("CONFIG", "SET", "timeout", "1");
            Eventually.Is(
                "the connection is closed",
                () => !move.To.Request("CLIENT", "LIST").Text.Contains("redislatency-sync"))
            .GetAwaiter().GetResult();
            move.To.Execute("CONFIG", "SET", "timeout", "0");
        }));

        move.To.Execute("ASKING");
        move.To.Execute("GET", "{a}new").Text.ShouldBe("2");
    }

    // DEL waits for the end of the pause, and what stands behind it; by itself a refusal does not.
    private static void WithoutMemory(RedisServerProcess target, string before, string commands) =>
        GivenSync.Run(target.Uri, new TransformPlan(), 1, new GivenInTwo(
            before.Split('|'),
            ["DEL none", .. commands.Split('|')],
            () =>
            {
                using var to = SyncProcess.Open(target.Uri);
                to.Execute("CONFIG", "SET", "maxmemory", "1");
                to.Execute("CLIENT", "PAUSE", "500", "ALL");
            }));
}
