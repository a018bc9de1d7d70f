using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Sync.Tests.Runs;

public class SyncTests
{
    [Theory]
    [InlineData(false, false)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(true, true)]
    public async Task Sync_OfKeysAndOfWhatIsWrittenMeanwhile_MakesBothEqual(bool fromCluster, bool toCluster)
    {
        await using var source = await Ends.Start(fromCluster);
        await using var target = await Ends.Start(toCluster);
        source.Write();

        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await Eventually.Is("the data set is there", () => target.Contents().Count >= 300);
        for (var i = 0; i < 200; i++)
            source.Execute($"key:{i}", "RPUSH", $"key:{i}", "a", $"{i}");
        source.Execute("{t}a", "EVAL", "redis.call('SET', KEYS[1], 1) redis.call('INCR', KEYS[2])", "2", "{t}a", "{t}b");
        source.Execute("key:7", "DEL", "key:7");
        source.Execute("last", "SET", "last", "1");
        // Each shard of a source comes by itself: one may be behind the last key.
        await process.Until("both are equal", () => target.Contents().SequenceEqual(source.Contents()));
        var (code, record) = await process.EndBy("INT").End(process);
        code.ShouldBe(130, process.ToString());
        record.Synced("keys").ShouldBe(300);
        record.Synced("commands").ShouldBe(204);
        record.Synced("skipped").ShouldBe(0);
    }

    [Theory]
    [InlineData("sync")]
    [InlineData("scan", "--follow", "--on-existing", "rewrite")]
    public async Task LongValues_NeedTheMemoryOfTheLongest_HoweverManyThereAre(params string[] verb)
    {
        const int LengthMb = 8;
        await using var source = await RedisServerProcess.Start(
            arguments: ["--rdbcompression", "no", "--notify-keyspace-events", "KEA"]);
        await using var target = await RedisServerProcess.Start();
        using var writer = SyncProcess.Open(source.Uri);
        writer.Execute(
            "EVAL", "for i = 1, 12 do redis.call('SET', 'long:' .. i, string.rep('x', ARGV[1] * 1048576)) end", "0",
            $"{LengthMb}");

        await using var process = ServiceProcess.Start(
            "Sync", [.. verb, "--source", source.Uri, "--destination", target.Uri]);
        await process.Until("all are there", () => KeysOf(target) == 12);

        for (var i = 13; i < 20; i++)
            writer.Execute("SET", $"long:{i}", new string('y', LengthMb << 20));
        await process.Until("those that are written meanwhile are there", () => KeysOf(target) == 19);
        var peak = File.ReadLines($"/proc/{process.ProcessId}/status")
            .First(line => line.StartsWith("VmHWM:", StringComparison.Ordinal)).Split(' ')[^2];
        (int.Parse(peak) >> 10).ShouldBeLessThan(150 + LengthMb);
        using var reader = SyncProcess.Open(target.Uri);
        reader.Execute("STRLEN", "long:12").Number.ShouldBe(LengthMb << 20);
        reader.Execute("GETRANGE", "long:19", "-2", "-1").Text.ShouldBe("yy");
        (await process.EndBy("INT")).ShouldBe(130, process.ToString());

        static long KeysOf(RedisServerProcess server)
        {
            using var connection = SyncProcess.Open(server.Uri);
            return KeyContents.CountIn(connection);
        }
    }

    [Theory]
    [InlineData("rdb", false)]
    [InlineData("rdb", true)]
    [InlineData("aof", false)]
    [InlineData("aof", true)]
    public async Task File_OfAServer_RestoresItsKeys(string verb, bool toCluster)
    {
        await using var source = await Ends.Start(isCluster: false);
        await using var target = await Ends.Start(toCluster);
        var server = source.Server.ShouldNotBeNull();
        source.Write();
        var file = Path.Combine(server.Folder, "dump.rdb");
        if (verb == "aof")
        {
            file = Path.Combine(server.Folder, "appendonlydir", "appendonly.aof.manifest");
            // Else a server whose disk is busy writes to its file up to two seconds later.
            source.Execute("k", "CONFIG", "SET", "appendfsync", "always");
            source.Execute("k", "CONFIG", "SET", "appendonly", "yes");
            using var connection = SyncProcess.Open(server.Uri);
            await Eventually.Is("the base is written", () => connection.Execute("INFO", "persistence").Text is var info
                && info.Contains("aof_rewrite_in_progress:0") && info.Contains("aof_rewrite_scheduled:0"));
            for (var i = 0; i < 50; i++)
                source.Execute("k", "RPUSH", $"list:{i}", "later");
        }
        else
        {
            source.Execute("k", "SAVE");
        }

        await using var process = SyncProcess.StartFile(verb, file, target.Uri);
        var (code, record) = await process.End().End(process);

        code.ShouldBe(0, process.ToString());
        target.Contents().ShouldBe(source.Contents());
        record.Synced("keys").ShouldBe(300);
        record.Synced("commands").ShouldBe(verb == "aof" ? 50 : 0);
    }

    [Theory]
    [InlineData("--database-map", "3:9")]
    [InlineData("--block-database", "3")]
    [InlineData("--allow-database", "0")]
    public async Task Command_OnOtherDatabases_WhereTheyAreChosen_IsLeftOutAndSaid(params string[] choice)
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri, choice);
        from.Execute("SET", "a", "1");
        await process.Until("the first is there", () => to.Execute("EXISTS", "a").Number == 1);

        from.Execute("COPY", "a", "b", "DB", "3");
        from.Execute("COPY", "a", "b");
        from.Execute("MOVE", "a", "3");
        from.Execute("SWAPDB", "0", "6");
        from.Execute("SWAPDB", "0", "6");
        from.Execute("SET", "last", "1");
        await process.Until("the last is there", () => to.Execute("EXISTS", "last").Number == 1);

        to.Execute("MGET", "a", "b").Items.Select(item => item.Text).ShouldBe(["1", "1"]);
        to.Execute("SELECT", "3");
        KeyContents.CountIn(to).ShouldBe(0);
        var (code, record) = await process.EndBy("INT").End(process);
        code.ShouldBe(4, process.ToString());
        record.Synced("skipped").ShouldBe(4);
    }

    [Fact]
    public async Task Sync_OfAMappedDatabase_DeletesNothingOfAnother()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("SET", "a", "1");
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri, "--database-map", "1:0");
        await process.Until("the data set is there", () => KeyContents.CountIn(to) == 1);

        from.Execute("SELECT", "1");
        from.Execute("FLUSHDB");
        from.Execute("SWAPDB", "1", "2");
        from.Execute("SET", "last", "1");
        await process.Until("the last is there", () => to.Execute("EXISTS", "last").Number == 1);

        to.Execute("GET", "a").Text.ShouldBe("1");
        var (code, record) = await process.EndBy("INT").End(process);
        code.ShouldBe(4, process.ToString());
        record.Synced("skipped").ShouldBe(2);
    }

    [Fact]
    public async Task Verification_OfAStream_IsNoReplicaThatWaitCounts()
    {
        await using var source = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(source.Uri);
        await using var process = ServiceProcess.Start(
            "Sync", "sync", "--source", source.Uri, "--verify-only", "--format", "json", "--live", "none");
        await process.Until("it is there", () => from.Execute("ROLE").Items[2].Items.Count == 1);
        from.Execute("SET", "k", "1");

        from.Execute("WAIT", "1", "2500").Number.ShouldBe(0);

        var (code, record) = await process.EndBy("INT").End(process);
        code.ShouldBe(130, process.ToString());
        record.Synced("commands").ShouldBe(1);
    }

    [Fact]
    public async Task Sync_ToTheSourceItself_IsRefused()
    {
        await using var source = await RedisServerProcess.Start();

        (await SyncProcess.Refusal("sync", source.Uri, source.Uri, 3)).ShouldContain("are one server");
        (await SyncProcess.Refusal("scan", source.Uri, $"redis://user:wrong@127.0.0.1:{source.Port}", 3))
            .ShouldNotContain("wrong@");
    }

    [Fact]
    public async Task LongValue_ThatIsThereAlready_StaysWhereItShall()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("EVAL", "for i = 1, 5000 do redis.call('RPUSH', KEYS[1], redis.sha1hex(i)) end", "1", "long");
        pair.To.Execute("RPUSH", "long", "ours");
        string[] arguments = ["--no-stream", "--big-value", "1KiB", "--on-existing"];

        var record = await SyncProcess.Run("sync", pair.Source.Uri, pair.Target.Uri, 0, [.. arguments, "skip"]);

        pair.To.Execute("LLEN", "long").Number.ShouldBe(1);
        record.Synced("skipped").ShouldBe(1);
        var whole = await SyncProcess.Run(
            "sync", pair.Source.Uri, pair.Target.Uri, 0, [.. arguments, "rewrite", "--block-command", "DEL"]);
        pair.To.Execute("LLEN", "long").Number.ShouldBe(5000);
        (whole.Synced("read"), whole.Synced("keys"), whole.Synced("commands")).ShouldBe((1, 1, 0));
        var none = await SyncProcess.Run(
            "sync", pair.Source.Uri, pair.Target.Uri, 0, [.. arguments, "rewrite", "--block-key", "long"]);
        (none.Synced("read"), none.Synced("filtered")).ShouldBe((1, 1));
        none["verdict"]!.ToJsonString().ShouldContain("The filters left out all that was read.");
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public async Task LongStream_LosesOfItsPendingEntries_ThoseThatWereDeleted(int deleted)
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("EVAL", """
            for i = 1, 500 do redis.call('XADD', KEYS[1], i .. '-0', 'f', redis.sha1hex(i)) end
            redis.call('XDEL', KEYS[1], '3-0', '400-0')
            redis.call('XTRIM', KEYS[1], 'MAXLEN', 490)
            redis.call('XGROUP', 'CREATE', KEYS[1], 'g', 0)
            redis.call('XREADGROUP', 'GROUP', 'g', 'c', 'COUNT', 20, 'STREAMS', KEYS[1], '>')
            """, "1", "long");
        for (var i = 0; i < deleted; i++)
            pair.From.Execute("XDEL", "long", $"{15 + i}-0");

        var record = await SyncProcess.Run(
            "sync", pair.Source.Uri, pair.Target.Uri, deleted == 0 ? 0 : 4, "--no-stream", "--big-value", "1KiB");

        record.Synced("skipped").ShouldBe(deleted);
        pair.To.Execute("XPENDING", "long", "g").Items[0].Number.ShouldBe(20 - deleted);
        if (deleted == 0)
            InFull(pair.To).ShouldBe(InFull(pair.From));
        else
            record["verdict"]!.ToJsonString().ShouldContain($"({deleted}): a pending entry of a stream");

        static string InFull(RedisConnection connection) => Regex.Replace(
            connection.Execute("XINFO", "STREAM", "long", "FULL", "COUNT", "0").ToString()!,
            "radix-tree-(keys|nodes)[^,]*,[^,]*,|(seen|active)-time[^,]*,[^,]*,", "");
    }
}
