using RedisLatency.Fixtures;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Checkpoints;

/// <summary>
/// A checkpoint that a run goes on from is the whole of one copy, made by the same command, and nobody else's:
/// docs/sync/promise.md, point 2.
/// </summary>
public class ExactCheckpointTests
{
    /// <summary>A node that comes back with what it had before, or with nothing, says itself how far it is.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Node_ThatLostWhatItHad_IsNoticed(bool hasSaved)
    {
        await using var source = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        using var from = SyncProcess.Open(source.Uri);
        await using var target = await Ends.Start(isCluster: true);
        for (var i = 0; i < 150; i++)
            from.Execute("INCR", $"count:{i}");
        await using (var first = SyncProcess.Start("sync", source.Uri, target.Uri))
        {
            await first.Until("each node has a head", () => HeldCheckpoint.HasPosition(target));
            if (hasSaved)
                Save(target);
            for (var i = 0; i < 150; i++)
                from.Execute("INCR", $"count:{i}");
            await first.Until("all is there", () => target.Contents().SequenceEqual(KeyContents.Of(source)));
            (await first.EndBy("KILL")).ShouldBe(137);
        }

        await target.Servers[1].Kill();
        await target.Servers[1].Restart();
        await target.Cluster!.Settle();
        await using var second = SyncProcess.Start("sync", source.Uri, target.Uri);
        if (hasSaved)
        {
            await second.Until("both are equal", () => target.Contents().SequenceEqual(KeyContents.Of(source)));
            (await second.EndBy("INT")).ShouldBe(130, second.ToString());
            return;
        }

        (await second.End()).ShouldBe(5, second.ToString());
        second.Errors.ToString().ShouldContain($"is not at 127.0.0.1:{target.Servers[1].Port}");
        second.Errors.ToString().ShouldContain("--checkpoint anew --empty-destination");
    }

    [Theory]
    [InlineData("--block-key", "x")]
    [InlineData("--database-map", "0:3")]
    [InlineData("--rename-prefix", "a=b")]
    [InlineData("--no-data-set")]
    public async Task Command_ThatCarriesOtherDataOver_DoesNotGoOn(params string[] arguments)
    {
        await using var pair = await SyncPair.Start();
        await using (var first = await pair.SyncFirst())
        {
            await first.Until("it has a head", () => HeldCheckpoint.HasPosition(pair));
            (await first.EndBy("INT")).ShouldBe(130, first.ToString());
        }

        await using var second = pair.Sync(arguments);
        (await second.End()).ShouldBe(3, second.ToString());
        second.Errors.ToString().ShouldContain("other filters, databases, prefixes or functions");
    }

    /// <summary>The same server under another name, and one that tells the target nothing.</summary>
    [Theory]
    [InlineData("localhost", "keep")]
    [InlineData("127.0.0.1", "none")]
    public async Task Copy_ThatIsMadeMeanwhile_EndsWhatWasBefore(string host, string checkpoint)
    {
        await using var pair = await SyncPair.Start();
        await using (var first = await pair.SyncFirst())
        {
            await first.Until("it has a head", () => HeldCheckpoint.HasPosition(pair));
            (await first.EndBy("INT")).ShouldBe(130, first.ToString());
        }

        pair.From.Execute("INCR", "count");
        await using (var other = SyncProcess.Start(
            "sync", $"redis://{host}:{pair.Source.Port}", pair.Target.Uri, "--on-existing", "rewrite", "--checkpoint",
            checkpoint))
        {
            await other.Until("it is there", () => pair.To.Execute("EXISTS", "count").Number == 1);
            (await other.EndBy("INT")).ShouldBe(130, other.ToString());
        }

        await using var again = pair.Sync();
        (await again.End()).ShouldBe(5, again.ToString());
        again.Errors.ToString().ShouldContain("is not exact any more");
    }

    [Fact]
    public async Task Run_BesideOneThatIsAtWork_IsRefused()
    {
        await using var pair = await SyncPair.Start();
        await using var first = await pair.SyncFirst();
        await first.Until("it has a head", () => HeldCheckpoint.HasPosition(pair));

        await using var second = pair.Sync();

        (await second.End()).ShouldBe(3, second.ToString());
        second.Errors.ToString().ShouldContain("Another run is at work");
        (await first.EndBy("INT")).ShouldBe(130, first.ToString());
    }

    /// <summary>One that hangs is no longer at work, until it goes on.</summary>
    [Fact]
    public async Task Run_ThatHungWhileAnotherBegan_EndsBoth()
    {
        await using var pair = await SyncPair.Start();
        await using var first = await pair.SyncFirst();
        await first.Until("it has a head", () => HeldCheckpoint.HasPosition(pair));
        first.Signal("STOP");
        await using var second = pair.Sync();
        pair.From.Execute("INCR", "count");
        await second.Until("it has gone on", () => pair.To.Execute("EXISTS", "count").Number == 1);
        first.Signal("CONT");

        (await first.End()).ShouldBe(5, first.ToString());
        (await second.End()).ShouldBe(5, second.ToString());
        await using var third = pair.Sync();
        (await third.End()).ShouldBe(5, third.ToString());
        third.Errors.ToString().ShouldContain("is not exact any more");
    }

    /// <summary>Names that are this program's at the target are not made of others there, nor others of them.</summary>
    [Theory]
    [InlineData("RENAME", "redislatency:checkpoint-x", "foo")]
    [InlineData("RENAME", "foo", "redislatency:checkpoint")]
    [InlineData("SUNIONSTORE", "foo", "redislatency:checkpoint-s", "foo")]
    public async Task Command_BetweenReservedKeysAndOthers_EndsTheRun(params string[] command)
    {
        await using var pair = await SyncPair.Start();
        await using var process = await pair.SyncFirst();
        pair.From.Execute("SADD", "foo", "1");
        pair.From.Execute("SADD", "redislatency:checkpoint-s", "2");
        pair.From.Execute("SET", "redislatency:checkpoint-x", "1");

        pair.From.Execute(command);

        (await process.End()).ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain($"keys that begin with {CheckpointKeys.Name}");
    }

    private static void Save(Ends target)
    {
        foreach (var node in target.Servers)
        {
            using var connection = target.Cluster!.Open(node);
            connection.Execute("SAVE");
        }
    }
}
