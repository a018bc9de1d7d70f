using RedisLatency.Fixtures;
using RedisLatency.Redis.Topology;
using RedisLatency.Server.Links;
using RedisLatency.Sync.Consistency;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Consistency;

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
        record["verdict"]!.ToJsonString().ShouldContain("1 keys lack what the source has, the first session: ");
        record.Synced("skipped").ShouldBe(0);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Key_ThatIsMissed_IsSaid_WhereTheSourceCannotBeAskedAtTheEnd(bool isCluster)
    {
        await using var source = await Ends.Start(isCluster);
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);
        source.Execute("key", "SET", "key", "1");
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await process.Until("the key is there", () => to.Execute("EXISTS", "key").Number == 1);

        to.Execute("DEL", "key");
        source.Execute("key", "PEXPIRE", "key", "60000");
        source.Execute("key", "SET", "{key}last", "1");
        await process.Until("the last is there", () => to.Execute("EXISTS", "{key}last").Number == 1);
        foreach (var server in source.Servers)
        {
            using var from = SyncProcess.Open(server.Uri);
            if (isCluster)
                from.Execute("CLUSTER", "DELSLOTS", $"{KeySlot.Of("key"u8)}");
            else
                await server.Kill();
        }

        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(4, process.ToString());
        record["verdict"]!.ToJsonString().ShouldContain("1 keys lack what the source has, the first key: ");
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
    [InlineData("RENAME gone kept", 1)]
    [InlineData("SMOVE gone kept m", 2)]
    [InlineData("LMOVE gone kept LEFT RIGHT", 2)]
    [InlineData("MULTI|SET stays 2|RENAME gone kept|EXEC", 1)]
    [InlineData("PEXPIREAT stays " + Later + "|SETNX stays 2|DEL gone", 0)]
    [InlineData("MULTI|SETNX stays 2|ZADD z 1 m|PEXPIREAT stays " + Later + "|EXEC", 0)]
    [InlineData("MULTI|SETNX stays 2|ZADD z 1 m|PEXPIREAT gone " + Later + "|PERSIST gone|EXEC", 1)]
    public async Task Command_ThatFindsNoKey_IsCounted(string commands, int missed)
    {
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);

        var counts = GivenSync.Run(target.Uri, new MiddlePlan(), 1, new GivenInTwo(
            [$"SET gone 1 PXAT {Later}", "SET stays 1"], commands.Split('|'), () => to.Execute("DEL", "gone")));

        Missed(counts).ShouldBe(missed);
    }

    // The first time all are carried out, and their answers are lost.
    [Theory]
    [InlineData("PEXPIREAT k " + Later + "|DEL k", 0, 0)]
    [InlineData("PERSIST k", 0, 1)]
    [InlineData("PERSIST gone|HSET gone f 1", 0, 1)]
    [InlineData("SADD s m|PEXPIREAT s " + Later + "|SREM s m", 0, 0)]
    [InlineData("PEXPIREAT gone " + Later + "|SREM gone m", 0, 1)]
    [InlineData("PEXPIREAT gone " + Later + " GT", 0, 1)]
    [InlineData("PEXPIREAT k " + Later + "|SET other 1", 0, 0)]
    [InlineData("PEXPIREAT gone " + Later + "|SET other 1", 1, 0)]
    [InlineData("PEXPIREAT gone " + Later + "|SELECT 1|DEL gone|SELECT 0", 1, 0)]
    public async Task Command_ThatIsSentTwice_IsCounted_WhereTheKeyIsMissed(
        string commands, int missed, int inDoubt)
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
            () => GivenSync.Run($"redis://127.0.0.1:{port}", new MiddlePlan(), 1, reader),
            TestContext.Current.CancellationToken);

        await cut!;
        link.Dispose();
        (Missed(counts), counts.Lacking.Count(KeyLack.Possible)).ShouldBe((missed, inDoubt));
    }

    [Fact]
    public async Task Command_ThatIsTurnedAwayFirst_IsCounted_WhereTheKeyIsMissed()
    {
        await using var target = await Ends.Start(isCluster: true);
        using var move = MovingSlot.Begin(target.Cluster!, "a"u8);

        var counts = GivenSync.Run(
            target.Uri, new MiddlePlan(), 1, new GivenCommands($"PEXPIREAT {{a}}gone {Later}", "SET {a}new 1"));

        Missed(counts).ShouldBe(1);
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

    private static long Missed(SyncCounts counts) => counts.Lacking.Count(KeyLack.Certain);
}
