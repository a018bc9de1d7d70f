using RedisLatency.Fixtures;
using RedisLatency.Redis;
using RedisLatency.Server.Links;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Lanes;

/// <summary>Keys that expire at a target that stands still, and that the source gives more time meanwhile.</summary>
public sealed class MissedKeyTests
{
    private const string Later = "1999999999999";

    [Fact]
    public async Task Key_ThatExpiresAtATargetThatStandsStill_IsNotCarriedOver()
    {
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst();

        await pair.StandStill(
            process, () => pair.From.Execute("PEXPIRE", "session", "60000").Number.ShouldBe(1), "session", "short");
        pair.From.Execute("SET", "last", "1");
        await process.Until("the last is there", () => pair.To.Execute("EXISTS", "last").Number == 1);
        var (code, record) = await process.EndBy("INT").End(process);

        (pair.From.Execute("EXISTS", "session").Number, pair.To.Execute("EXISTS", "session").Number).ShouldBe((1, 0));
        code.ShouldBe(4, process.ToString());
        record["verdict"]!.ToJsonString().ShouldContain("1 commands did not find at the target what they found at the source, the first PEXPIREAT session: ");
        record.Synced("skipped").ShouldBe(0);
    }

    [Theory]
    [InlineData("--block-command", "SET")]
    [InlineData("--no-data-set")]
    public async Task Key_ThatIsNotCarriedOver_AsAsked_IsNotMissed(params string[] arguments)
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "before", "1");
        await using var process = pair.Sync(arguments);
        await process.Until("the stream has begun", () => Arrives("INCR", "begun"));

        pair.From.Execute("SET", "key", "1");
        pair.From.Execute("PEXPIRE", "key", "60000");
        pair.From.Execute("PEXPIRE", "before", "60000");
        await process.Until("the stream is through", () => Arrives("INCR", "through"));
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record.Synced("skipped").ShouldBe(0);

        bool Arrives(params string[] words)
        {
            pair.From.Execute(words);
            return pair.To.Execute("EXISTS", words[1]).Number == 1;
        }
    }

    [Theory]
    [InlineData("PEXPIREAT gone " + Later, 1)]
    [InlineData("PEXPIREAT gone " + Later + " GT", 1)]
    [InlineData("PERSIST gone", 1)]
    [InlineData("PEXPIREAT gone 1000", 0)]
    [InlineData("SMOVE gone kept m", 1)]
    [InlineData("LMOVE gone kept LEFT RIGHT", 1)]
    [InlineData("PEXPIREAT stays " + Later + "|SETNX stays 2|DEL gone", 0)]
    [InlineData("MULTI|SETNX stays 2|ZADD z 1 m|PEXPIREAT stays " + Later + "|EXEC", 0)]
    [InlineData("MULTI|SETNX stays 2|ZADD z 1 m|PEXPIREAT gone " + Later + "|PERSIST gone|EXEC", 2)]
    public async Task Command_ThatFindsNoKey_IsCounted(string commands, int missed)
    {
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);

        var counts = GivenSync.Run(target.Uri, new TransformPlan(), 1, new GivenInTwo(
            [$"SET gone 1 PXAT {Later}", "SET stays 1"], commands.Split('|'), () => to.Execute("DEL", "gone")));

        counts.Missed.ShouldBe(missed);
    }

    [Theory]
    [InlineData("RENAME gone kept")]
    [InlineData("MULTI|SET stays 2|RENAME gone kept|EXEC")]
    public async Task Command_ThatIsRefusedAsItFindsNoKey_EndsTheRun(string commands)
    {
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);

        Should.Throw<RedisServerException>(() => GivenSync.Run(target.Uri, new TransformPlan(), 1, new GivenInTwo(
            ["SET gone 1", "SET stays 1"], commands.Split('|'), () => to.Execute("DEL", "gone"))))
            .Message.ShouldContain("no such key");
    }

    // The first time all are carried out, and their answers are lost.
    [Theory]
    [InlineData("PEXPIREAT k " + Later + "|DEL k")]
    [InlineData("PERSIST k")]
    [InlineData("SADD s m|PEXPIREAT s " + Later + "|DEL s")]
    public async Task Command_ThatIsSentTwice_IsNotCounted(string commands)
    {
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);
        var port = FreePort.Next();
        WanLink? link = null;
        Task? cut = null;
        var reader = new GivenInTwo([$"SET k 1 PXAT {Later}"], [.. commands.Split('|'), "SET through 1"], () =>
        {
            link!.Dispose();
            link = TcpLink.Start(port, target, back: new LinkSettings { Delay = TimeSpan.FromSeconds(1) });
            cut = Task.Run(async () =>
            {
                await Eventually.Is("they are carried out", () => to.Execute("EXISTS", "through").Number == 1);
                link.Dispose();
                link = TcpLink.Start(port, target);
            });
        });
        link = TcpLink.Start(port, target);

        var counts = await Task.Run(
            () => GivenSync.Run($"redis://127.0.0.1:{port}", new TransformPlan(), 1, reader),
            TestContext.Current.CancellationToken);

        await cut!;
        link.Dispose();
        counts.Missed.ShouldBe(0);
    }

    [Fact]
    public async Task Command_ThatIsRefusedFirst_IsCounted_WhereTheKeyIsMissed()
    {
        await using var target = await Ends.Start(isCluster: true);
        using var move = MovingSlot.Begin(target.Cluster!, "a"u8);

        var counts = GivenSync.Run(
            target.Uri, new TransformPlan(), 1, new GivenCommands($"PEXPIREAT {{a}}gone {Later}", "SET {a}new 1"));

        counts.Missed.ShouldBe(1);
    }

    // As asked, and no reason to end.
    [Theory]
    [InlineData("RENAME a b")]
    [InlineData("RENAMENX a b")]
    [InlineData("LSET l 0 x")]
    [InlineData("XGROUP CREATE s g $")]
    public async Task Command_ForAKeyThatWasLeftOut_IsNoted(string command)
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("SET", "a", "1");
        pair.From.Execute("RPUSH", "l", "1");
        pair.From.Execute("XADD", "s", "*", "f", "v");
        await using var process = pair.Sync("--no-data-set");
        await process.Until("it reads", () =>
        {
            pair.From.Execute("INCR", "first");
            return pair.To.Execute("EXISTS", "first").Number == 1;
        });

        pair.From.Execute(command.Split(' '));
        pair.From.Execute("SET", "last", "1");
        await process.Until("the last is there", () => pair.To.Execute("EXISTS", "last").Number == 1);

        var (code, record) = await process.EndBy("INT").End(process);
        code.ShouldBe(130, process.ToString());
        record["verdict"]!["status"]!.GetValue<string>().ShouldBe("Valid", process.ToString());
        record["verdict"]!.ToJsonString().ShouldContain("as keys or commands are left out");
    }
}
