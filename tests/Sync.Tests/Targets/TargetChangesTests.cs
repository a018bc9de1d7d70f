using RedisLatency.Fixtures;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis.Topology;
using RedisLatency.Sync.Filters;
using RedisLatency.Sync.Lanes;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Targets;

public class TargetChangesTests
{
    [Fact]
    public async Task Slots_ThatMoveAtTheTarget_AreFollowedInOrder()
    {
        await using var target = await Ends.Start(isCluster: true);
        var cluster = target.Cluster!;
        var slot = KeySlot.Of("a"u8);
        var from = cluster.PrimaryOf(slot);
        var to = cluster.Servers.First(server => server != from);
        var commands = Enumerable.Range(0, 3000).Select(i => $"RPUSH a {i}").ToArray();
        var half = new GivenInTwo(commands[..(commands.Length / 2)], commands[(commands.Length / 2)..], () =>
        {
            cluster.MigrateSlots(from, to, slot, slot).GetAwaiter().GetResult();
        });

        GivenSync.Run(target.Uri, new TransformPlan(), 1, half);

        using var connection = cluster.Open(cluster.PrimaryOf(slot));
        cluster.PrimaryOf(slot).ShouldBe(to);
        connection.Execute("LLEN", "a").Number.ShouldBe(3000);
        connection.Execute("LINDEX", "a", "2999").Text.ShouldBe("2999");
        connection.Execute("LINDEX", "a", "1500").Text.ShouldBe("1500");
    }

    // As after a move that was begun and ended by halves.
    [Fact]
    public async Task Slot_OfWhichTwoServersNameEachOther_EndsTheRunInTime()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await Ends.Start(isCluster: true);
        using (var from = SyncProcess.Open(source.Uri))
            from.Execute("SET", "a", "1");
        using var move = MovingSlot.Begin(target.Cluster!, "a"u8);
        move.To.Execute("CLUSTER", "SETSLOT", $"{move.Slot}", "STABLE");
        move.From.Execute("CLUSTER", "SETSLOT", $"{move.Slot}", "NODE", move.To.Execute("CLUSTER", "MYID").Text);
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri, "--reconnect-timeout", "2s");

        (await process.End()).ShouldBe(5, process.ToString());

        process.Errors.ToString().ShouldMatch(@"RESTORE a was refused for 2 s: MOVED \d+ 127\.0\.0\.1:\d+");
        var asked = move.From.Execute("INFO", "commandstats").Text.Split('\n')
            .Single(line => line.StartsWith("cmdstat_restore", StringComparison.Ordinal));
        asked.ShouldMatch(@"rejected_calls=\d\d?,");
    }

    // What it had acknowledged may be gone, as far as anybody knows, also where nothing is kept of how far it is.
    [Fact]
    public async Task Target_ThatRestarts_EndsTheRun()
    {
        await using var target = await RedisServerProcess.Start(
            arguments: ["--appendonly", "yes", "--appendfsync", "always"]);
        var commands = Enumerable.Range(0, 2000).Select(i => $"SET key:{i} {i}").ToArray();
        var half = new GivenInTwo(commands[..(commands.Length / 2)], commands[(commands.Length / 2)..], () =>
        {
            target.Kill().GetAwaiter().GetResult();
            target.Restart().GetAwaiter().GetResult();
        });

        Should.Throw<TargetLostException>(() => GivenSync.Run(target.Uri, new TransformPlan(), 1, half))
            .Message.ShouldContain("was started again");
    }

    [Fact]
    public async Task Slot_InTheMiddleOfItsMove_TakesKeysThatAreRebuilt()
    {
        ServerRequirement.Require("redis-server");
        ServerRequirement.Require("valkey-server");
        // Its streams and small sets have types that the target does not know.
        await using var source = await RedisServerProcess.Start("valkey-server", KeyContents.Debuggable);
        await using var target = await Ends.Start(isCluster: true);
        using (var from = SyncProcess.Open(source.Uri))
            KeyContents.Write(from, count: 5, "{a}");
        var cluster = target.Cluster!;
        using var move = MovingSlot.Begin(cluster, "a"u8);
        var (slot, migrating, importing) = move;

        var record = await SyncProcess.Run("sync", source.Uri, target.Uri, 0, "--no-stream");

        KeyContents.CountIn(migrating).ShouldBe(0);
        importing.Execute("CLUSTER", "SETSLOT", $"{slot}", "NODE", importing.Execute("CLUSTER", "MYID").Text);
        migrating.Execute("CLUSTER", "SETSLOT", $"{slot}", "NODE", importing.Execute("CLUSTER", "MYID").Text);
        await cluster.Settle();
        target.Contents().ShouldBe(KeyContents.Of(source));
        record.Synced("rebuilt").ShouldBe(10);
    }

    [Theory]
    [InlineData("OOM command not allowed when used memory > 'maxmemory'.")]
    [InlineData("NOREPLICAS Not enough good replicas to write.")]
    [InlineData(null)]
    public async Task Target_ThatIsAwayOrFullWhileAValueIsRebuilt_HasAllOfIt(string? refusal)
    {
        ServerRequirement.Require("redis-server");
        ServerRequirement.Require("valkey-server");
        await using var source = await RedisServerProcess.Start("valkey-server", KeyContents.Debuggable);
        await using var target = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        using var from = SyncProcess.Open(source.Uri);
        for (var i = 1; i <= 30; i++)
            from.Execute("XADD", "stream", $"{i}-1", "field", "value");
        var answers = 0;
        using var faulty = AlteredReplies.Of(target, text =>
        {
            if (!text.Contains("\r\n20-1\r\n") || ++answers > 2)
                return text;
            if (refusal is not null)
                return $"-{refusal}\r\n";
            using var other = SyncProcess.Open(target.Uri);
            other.Execute("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            return string.Empty;
        });

        var record = await SyncProcess.Run("sync", source.Uri, faulty.Uri, 0, "--no-stream");

        answers.ShouldBe(3);
        (record.Synced("rebuilt"), record.Synced("skipped")).ShouldBe((1, 0));
        KeyContents.Of(target).ShouldBe(KeyContents.Of(source));
    }

    [Theory]
    [InlineData("0-0", "XTRIM", "stream", "MAXLEN", "27")]
    [InlineData("0-0", "XTRIM", "stream", "MAXLEN", "0")]
    [InlineData("2-1", "XDEL", "stream", "1-1", "2-1")]
    public async Task Stream_WhosePendingEntriesAreGone_RemembersTheDeletedOnesOnly(
        string deleted, params string[] removal)
    {
        ServerRequirement.Require("redis-server");
        ServerRequirement.Require("valkey-server");
        await using var source = await RedisServerProcess.Start("valkey-server");
        await using var target = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        for (var i = 1; i <= 30; i++)
            from.Execute("XADD", "stream", $"{i}-1", "field", "value");
        from.Execute("XGROUP", "CREATE", "stream", "group", "0");
        from.Execute("XREADGROUP", "GROUP", "group", "consumer", "COUNT", "3", "STREAMS", "stream", ">");
        from.Execute(removal);

        var record = await SyncProcess.Run("sync", source.Uri, target.Uri, 0, "--no-stream");

        record.Synced("rebuilt").ShouldBe(1);
        to.Execute("XINFO", "STREAM", "stream").Find("max-deleted-entry-id")!.Text.ShouldBe(deleted);
        foreach (var question in new[] { "XLEN stream", "XPENDING stream group", "XINFO GROUPS stream" })
            to.Execute(question.Split(' ')).ToString().ShouldBe(from.Execute(question.Split(' ')).ToString());
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task LongValue_OfASlotInTheMiddleOfItsMove_IsLookedForWhereItsKeyIs(bool isThere)
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await Ends.Start(isCluster: true);
        using (var from = SyncProcess.Open(source.Uri))
            from.Execute("EVAL", "for i = 1, 5000 do redis.call('RPUSH', KEYS[1], redis.sha1hex(i)) end", "1", "a");
        using var move = MovingSlot.Begin(target.Cluster!, "a"u8);
        if (isThere)
        {
            move.To.Execute("ASKING");
            move.To.Execute("RPUSH", "a", "ours");
        }

        var record = await SyncProcess.Run(
            "sync", source.Uri, target.Uri, 0, "--no-stream", "--big-value", "1KiB", "--on-existing", "skip");

        record.Synced("skipped").ShouldBe(isThere ? 1 : 0);
        move.To.Execute("ASKING");
        move.To.Execute("LLEN", "a").Number.ShouldBe(isThere ? 1 : 5000);
    }

    [Fact]
    public async Task LongValue_WhoseTargetIsAway_IsLookedForOnceItIsThere()
    {
        await using var target = await RedisServerProcess.Start();
        var port = FreePort.Next();
        var link = TcpLink.Start(port, target);
        var restored = Task.CompletedTask;
        var reader = new GivenInTwo(["SET first 1"], ["DEL long", "RPUSH long a b", "RPUSH long c"], () =>
        {
            link.Dispose();
            restored = Task.Delay(500).ContinueWith(_ => link = TcpLink.Start(port, target), TaskScheduler.Default);
        })
        {
            EndsWithOneValue = true,
        };

        GivenSync.Run($"redis://127.0.0.1:{port}", new TransformPlan(), 1, reader, ExistingKeys.Skip);

        await restored;
        link.Dispose();
        using var connection = SyncProcess.Open(target.Uri);
        connection.Execute("LLEN", "long").Number.ShouldBe(3);
    }

    [Fact]
    public async Task Transaction_RefusedByASlotThatMoves_LetsCommandsOfOtherKeysPass()
    {
        await using var target = await Ends.Start(isCluster: true);
        target.Execute("a", "SET", "{a}here", "0");
        using var move = MovingSlot.Begin(target.Cluster!, "a"u8);
        // A key that is not there is asked for at the other; one that is there may be changed, but not twice.
        string[] transaction = ["MULTI", "SET {a}new 1", "INCR {a}new", "EXEC"];

        GivenSync.Run(
            target.Uri, new TransformPlan(), 1,
            new GivenCommands([.. transaction, .. Enumerable.Repeat("INCR {a}here", 2000)]));

        move.From.Execute("GET", "{a}here").Text.ShouldBe("2000");
        move.To.Execute("ASKING");
        move.To.Execute("GET", "{a}new").Text.ShouldBe("2");
    }

    [Fact]
    public async Task Messages_MayPassWritesThatAreRefused()
    {
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst("--connections", "1");
        pair.To.Execute("CONFIG", "SET", "min-replicas-to-write", "1");
        // So that all of them are on their way before the first is answered, which the pause holds.
        pair.To.Execute("CLIENT", "PAUSE", "1000", "ALL");
        for (var i = 0; i < 50; i++)
        {
            pair.From.Execute("PUBLISH", "channel", "text");
            pair.From.Execute("SET", $"key:{i}", "1");
        }

        await Eventually.Is("they are refused", () => pair.To.Request("INFO", "errorstats").Text.Contains("NOREPLICAS"));
        pair.To.Execute("CONFIG", "SET", "min-replicas-to-write", "0");

        await process.Until("all keys are there", () => KeyContents.CountIn(pair.To) == 51);
        pair.To.Execute("INFO", "commandstats").Text.ShouldContain("cmdstat_publish:calls=50,");
    }

    [Fact]
    public async Task Keys_OfSeveralDatabases_ThatAreRefused_ComeWhereTheyBelong()
    {
        await using var pair = await SyncPair.Start(target: ["--min-replicas-to-write", "1"]);
        for (var database = 0; database < 4; database++)
        {
            pair.From.Execute("SELECT", $"{database}");
            KeyContents.Write(pair.From, count: 5, $"{database}:");
        }

        await using var process = pair.Sync("--no-stream");
        await Eventually.Is("they are refused", () => pair.To.Request("INFO", "errorstats").Text.Contains("NOREPLICAS"));
        pair.To.Execute("CONFIG", "SET", "min-replicas-to-write", "0");
        (await process.End()).ShouldBe(0, process.ToString());

        KeyContents.Of(pair.Target).ShouldBe(KeyContents.Of(pair.Source));
    }
}
