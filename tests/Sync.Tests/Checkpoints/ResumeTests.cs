using RedisLatency.Fixtures;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Checkpoints;

/// <summary>The same command again goes on where the one before was, exactly: docs/sync/promise.md, point 1.</summary>
public class ResumeTests
{
    private static readonly string[] LargeBacklog = ["--repl-backlog-size", "64mb"];

    [Theory]
    [InlineData(false, 1)]
    [InlineData(false, 3)]
    [InlineData(true, 2)]
    public async Task Run_ThatIsKilledAtAnyMoment_GoesOn_AndNothingComesTwice(bool isCluster, int connections)
    {
        await using var source = await RedisServerProcess.Start(arguments: [.. KeyContents.Debuggable, .. LargeBacklog]);
        await using var target = await Ends.Start(isCluster);
        string[] arguments = ["--connections", $"{connections}"];
        await using var load = SourceLoad.Start(source.Uri, isCluster ? 1 : 2);
        var random = new Random(1);
        for (var kill = 0; kill < 6; kill++)
        {
            await using var killed = SyncProcess.Start("sync", source.Uri, target.Uri, arguments);
            await killed.Until("it has begun to stream", () => Count(target) > 0 && HeldCheckpoint.HasPosition(target));
            var rounds = load.Rounds + random.Next(20, 200);
            await killed.Until("more was written", () => load.Rounds >= rounds);
            (await killed.EndBy("KILL")).ShouldBe(137);
        }

        await using var last = SyncProcess.Start("sync", source.Uri, target.Uri, arguments);
        await last.Until("it has gone on", () => load.Rounds > 0);
        await load.Stop();
        await last.Until("both are equal", () => target.Contents().SequenceEqual(KeyContents.Of(source)));
        var (code, record) = await last.EndBy("INT").End(last);

        code.ShouldBe(130, last.ToString());
        record.EventKinds().ShouldContain("resumed");
        record["verdict"]!["status"]!.GetValue<string>().ShouldBe("Valid", record["verdict"]!.ToJsonString());
    }

    [Fact]
    public async Task Run_ThatIsStopped_GoesOn_WithWhatWasWrittenSince_AndKeepsWhatIsThere()
    {
        await using var pair = await SyncPair.Start();
        KeyContents.Write(pair.From);
        string[] arguments = ["--empty-destination"];
        await using (var first = await pair.SyncFirst(arguments))
            (await first.EndBy("INT")).ShouldBe(130, first.ToString());
        pair.From.Execute("INCR", "count");
        pair.From.Execute("DEL", "string:1");
        pair.To.Execute("SET", "own", "1");

        await using var second = pair.Sync(arguments);
        await second.Until("it is there", () => pair.To.Execute("EXISTS", "count").Number == 1);
        (await second.EndBy("INT")).ShouldBe(130, second.ToString());

        pair.To.Execute("EXISTS", "own").Number.ShouldBe(1);
        pair.To.Execute("DEL", "own");
        KeyContents.Of(pair.Target).ShouldBe(KeyContents.Of(pair.Source));
    }

    // The servers name each other until the one that takes the slot over knows of it.
    [Fact]
    public async Task Checkpoint_OfASlotInTheMiddleOfItsMove_IsAskedForUntilAServerHasIt()
    {
        await using var source = await RedisServerProcess.Start(arguments: [.. KeyContents.Debuggable, .. LargeBacklog]);
        await using var target = await Ends.Start(isCluster: true);
        await using (var first = SyncProcess.Start("sync", source.Uri, target.Uri))
        {
            await first.Until("it has begun to stream", () => HeldCheckpoint.HasPosition(target));
            (await first.EndBy("INT")).ShouldBe(130, first.ToString());
        }

        using var move = MovingSlot.Begin(target.Cluster!, "a"u8);
        move.To.Execute("CLUSTER", "SETSLOT", $"{move.Slot}", "STABLE");
        await using var second = SyncProcess.Start("sync", source.Uri, target.Uri);
        await second.Until("it was sent back", () => move.To.Execute("INFO", "commandstats").Text.Contains("_asking:"));
        move.To.Execute(
            "CLUSTER", "SETSLOT", $"{move.Slot}", "IMPORTING", move.From.Execute("CLUSTER", "MYID").Text);
        using (var from = SyncProcess.Open(source.Uri))
            from.Execute("SET", "b", "1");

        await second.Until("it goes on", () => target.Contents().Count > 0);
        var (code, record) = await second.EndBy("INT").End(second);
        code.ShouldBe(130, second.ToString());
        record.EventKinds().ShouldContain("resumed");
    }

    // A position is older than what came behind it, which comes again: each command as if nothing behind it had come.
    [Fact]
    public async Task Key_ThatHasAnotherTypeSince_IsMadeAgain()
    {
        await using var pair = await SyncPair.Start();
        await using (var first = await pair.SyncFirst())
        {
            await first.Until("it has begun to stream", () => HeldCheckpoint.HasPosition(pair));
            var field = HeldCheckpoint.FieldIn(pair.To)!;
            var position = pair.To.Execute("HGET", CheckpointKeys.Name, field).Text;
            pair.From.Execute("HSET", "key", "field", "1");
            pair.From.Execute("DEL", "key");
            pair.From.Execute("SADD", "key", "member");
            pair.From.Execute("DEL", "key");
            pair.From.Execute("SET", "key", "1");
            await first.Until("it is there", () => pair.To.Execute("TYPE", "key").Text == "string");
            (await first.EndBy("KILL")).ShouldBe(137);
            pair.To.Execute("HSET", CheckpointKeys.Name, field, position);
        }

        await using var second = pair.Sync();
        pair.From.Execute("SET", "last", "1");
        await second.Until("the last is there", () => pair.To.Execute("EXISTS", "last").Number == 1);
        (await second.EndBy("INT")).ShouldBe(130, second.ToString());

        KeyContents.Of(pair.Target).ShouldBe(KeyContents.Of(pair.Source));
    }

    // What empties all takes the checkpoint with it.
    [Theory]
    [InlineData(1, "FLUSHALL")]
    [InlineData(2, "FLUSHALL")]
    [InlineData(1, "SWAPDB", "0", "1")]
    [InlineData(2, "SWAPDB", "0", "1")]
    public async Task Checkpoint_OutlivesWhatEmptiesAll(int connections, params string[] command)
    {
        await using var pair = await SyncPair.Start();
        string[] arguments = ["--connections", $"{connections}"];
        await using (var first = await pair.SyncFirst(arguments))
        {
            for (var i = 0; i < 20; i++)
                pair.From.Execute("INCR", $"before:{i}");
            pair.From.Execute(command);
            for (var i = 0; i < 20; i++)
                pair.From.Execute("INCR", $"behind:{i}");
            await first.Until("all is there", () => KeyContents.Of(pair.Target).SequenceEqual(KeyContents.Of(pair.Source)));
            (await first.EndBy("KILL")).ShouldBe(137);
        }

        await using var second = pair.Sync(arguments);
        pair.From.Execute("INCR", "last");
        await second.Until("the last is there", () => pair.To.Execute("EXISTS", "last").Number == 1);
        (await second.EndBy("INT")).ShouldBe(130, second.ToString());

        KeyContents.Of(pair.Target).ShouldBe(KeyContents.Of(pair.Source));
    }

    [Fact]
    public async Task Source_ThatNoLongerHasTheStream_EndsTheRun_WhichSaysHowToBeginAnew()
    {
        await using var pair = await SyncPair.Start(source: ["--repl-backlog-size", "16kb"]);
        await using (var first = await pair.SyncFirst())
        {
            await first.Until("it has begun to stream", () => HeldCheckpoint.HasPosition(pair));
            (await first.EndBy("KILL")).ShouldBe(137);
        }

        for (var i = 0; i < 200; i++)
            pair.From.Execute("SET", $"key:{i}", new string('x', 1000));

        await using (var second = pair.Sync())
        {
            (await second.End()).ShouldBe(5, second.ToString());
            second.Errors.ToString().ShouldContain("--checkpoint anew --empty-destination");
        }

        await using var third = pair.Sync("--checkpoint", "anew", "--empty-destination");
        await third.Until("both are equal", () => KeyContents.Of(pair.Target).SequenceEqual(KeyContents.Of(pair.Source)));
        (await third.EndBy("INT")).ShouldBe(130, third.ToString());
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Connection_ThatIsLost_LosesNothing_AndBringsNothingTwice(int connections)
    {
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst("--connections", $"{connections}");
        await using var load = SourceLoad.Start(pair.Source.Uri);
        for (var cut = 0; cut < 20; cut++)
        {
            var rounds = load.Rounds + 20;
            await process.Until("more was written", () => load.Rounds >= rounds);
            pair.To.Execute("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        }

        await load.Stop();
        await process.Until("both are equal", () => KeyContents.Of(pair.Target).SequenceEqual(KeyContents.Of(pair.Source)));
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());
    }

    [Fact]
    public async Task Target_ThatWasStartedAgain_EndsTheRun_AndTheSameCommandGoesOn()
    {
        await using var pair = await SyncPair.Start(
            source: LargeBacklog, target: ["--appendonly", "yes", "--appendfsync", "everysec"]);
        await using var load = SourceLoad.Start(pair.Source.Uri);
        await using (var first = await pair.SyncFirst())
        {
            await first.Until("it has begun to stream", () => HeldCheckpoint.HasPosition(pair));
            var rounds = load.Rounds + 300;
            await first.Until("more was written", () => load.Rounds >= rounds);
            await pair.Target.Kill();
            await pair.Target.Restart();
            (await first.End()).ShouldBe(5, first.ToString());
            first.Errors.ToString().ShouldContain("The same command goes on");
        }

        await using var second = pair.Sync();
        await load.Stop();
        await second.Until("both are equal", () => KeyContents.Of(pair.Target).SequenceEqual(KeyContents.Of(pair.Source)));
        (await second.EndBy("INT")).ShouldBe(130, second.ToString());
    }

    [Fact]
    public async Task Checkpoints_OfATarget_AreNotCarriedOnFromIt()
    {
        await using var pair = await SyncPair.Start();
        await using var end = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(end.Uri);
        await using var first = await pair.SyncFirst("--connections", "1");
        await using var second = SyncProcess.Start("sync", pair.Target.Uri, end.Uri, "--checkpoint", "none");
        await second.Until("it is there", () => to.Execute("EXISTS", "first").Number == 1);

        pair.From.Execute("INCR", "count");

        await second.Until("it is there", () => to.Execute("EXISTS", "count").Number == 1);
        to.Execute("KEYS", $"{CheckpointKeys.Name}*").Items.ShouldBeEmpty();
        pair.To.Execute("KEYS", $"{CheckpointKeys.Name}*").Items.Count.ShouldBe(1);
        (await second.EndBy("INT")).ShouldBe(130, second.ToString());
    }

    private static long Count(Ends target) =>
        target.Server is { } server ? KeyContents.CountOf(server) : KeyContents.CountOf(target.Cluster!);
}
