using RedisLatency.Fixtures;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Sources;

public sealed class SourceErrorTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("source-errors").FullName;

    [Theory]
    [InlineData("sync", false)]
    [InlineData("scan", false)]
    [InlineData("sync", true)]
    [InlineData("scan", true)]
    public async Task Source_OfTheSameDataAsTheTarget_IsRefused_AndNothingIsDeleted(string verb, bool isCluster)
    {
        await using var target = await Ends.Start(isCluster);
        target.Write();
        await using var replica = isCluster ? null : await RedisServerProcess.Start(
            arguments: ["--replicaof", "127.0.0.1", $"{target.Server!.Port}", .. KeyContents.Debuggable]);
        var source = replica?.Uri
            ?? target.Servers[^1].Uri.Replace("redis://", "redis+cluster://", StringComparison.Ordinal);
        await Eventually.Is("it has them", () => replica is null || KeyContents.CountOf(replica) == 300);

        var said = await SyncProcess.Refusal(verb, source, target.Uri, 3, "--empty-destination");

        said.ShouldContain("have the same data");
        target.Contents().Count.ShouldBe(300);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Replica_OfAnyShardOfTheOtherCluster_IsRefused(bool isSource)
    {
        await using var cluster = await Ends.Start(isCluster: true);
        var shard = cluster.Servers[^1];
        await using var replica = await RedisServerProcess.Start(
            arguments: ["--replicaof", "127.0.0.1", $"{shard.Port}", .. KeyContents.Debuggable]);
        using var connection = SyncProcess.Open(replica.Uri);
        await Eventually.Is("its link is up", () =>
            connection.Request("INFO", "replication").Text.Contains("master_link_status:up"));
        var (source, target) = isSource ? (replica.Uri, cluster.Uri) : (cluster.Uri, replica.Uri);

        (await SyncProcess.Refusal("sync", source, target, 3)).ShouldContain("have the same data");
    }

    // It answers once it has begun to save, an hour later here.
    [Fact]
    public async Task Source_ThatKeepsUsWaiting_IsLeftBySigterm()
    {
        await using var pair = await SyncPair.Start(source: ["--repl-diskless-sync-delay", "3600"]);
        await using var process = pair.Sync();
        await process.Until("it waits", () =>
            pair.From.Execute("INFO", "replication").Text.Contains("state=wait_bgsave"));

        (await process.EndBy("TERM")).ShouldBe(143, process.ToString());

        process.ToString().ShouldContain("stopped by a signal");
    }

    [Fact]
    public async Task Source_ThatTakesUsAndCloses_IsAskedAgainWithAPause()
    {
        const int Times = 16;
        await using var pair = await SyncPair.Start();
        var closed = new System.Collections.Concurrent.ConcurrentQueue<DateTimeOffset>();
        using var network = AlteredReplies.Closing(
            pair.Source, "+CONTINUE", () => closed.Enqueue(TimeProvider.System.GetUtcNow()));
        await using var process = SyncProcess.Start("sync", network.Uri, pair.Target.Uri);
        pair.From.Execute("SET", "key", "1");
        await process.Until("it is there", () => pair.To.Execute("EXISTS", "key").Number == 1);

        pair.From.Execute("CLIENT", "KILL", "TYPE", "replica");
        await process.Until("it was closed often", () => closed.Count >= Times);

        // Of sixteen pauses of up to half a second each, the sum is four.
        var times = closed.Take(Times).ToList();
        (times[^1] - times[0]).ShouldBeGreaterThan(TimeSpan.FromMilliseconds(500));
        (await process.EndBy("TERM")).ShouldBe(143, process.ToString());
    }

    [Fact]
    public async Task ModuleValue_ThatTheTargetLacks_IsSkippedByName_AndTheRestIsCarriedOver()
    {
        await using var target = await RedisServerProcess.Start();
        // A value of a module type called "tested-ty", version 1, of one string.
        var module = Convert.ToHexString(ModuleId("tested-ty", 1));
        var file = RdbFile($"07 03 6d6f64 81{module} 05 01 78 00", "00 01 6b 01 76");

        await using var process = SyncProcess.StartFile("rdb", file, target.Uri);
        var (code, record) = await process.End().End(process);

        code.ShouldBe(4, process.ToString());
        (record.Synced("keys"), record.Synced("skipped")).ShouldBe((1, 1));
        process.Output.ToString().ShouldContain("tested-ty");
        process.Output.ToString().ShouldContain("the first mod");
        using var to = SyncProcess.Open(target.Uri);
        to.Execute("GET", "k").Text.ShouldBe("v");
    }

    [Theory]
    [InlineData("REDIS0099", "REDIS0014")]
    [InlineData("VALKEY099", "VALKEY081")]
    public async Task File_OfANewerServer_IsToldWithWhatIsKnown(string header, string newest)
    {
        await using var target = await RedisServerProcess.Start();
        var file = RdbFile("00 01 6b 01 76");
        await using (var stream = File.OpenWrite(file))
            await stream.WriteAsync(System.Text.Encoding.ASCII.GetBytes(header), TestContext.Current.CancellationToken);

        await using var process = SyncProcess.StartFile("rdb", file, target.Uri);
        (await process.End()).ShouldBe(5, process.ToString());

        process.Errors.ToString().ShouldContain(newest);
    }

    [Fact]
    public async Task Scan_OfAKeyThatTheSourceNeverAnswersFor_EndsTheRun()
    {
        await using var pair = await SyncPair.Start();
        pair.From.Execute("MSET", "a", "1", "b", "unheard", "c", "3");
        using var link = AlteredReplies.Of(
            pair.Source, reply => reply.Contains("unheard", StringComparison.Ordinal) ? string.Empty : reply);

        await using var process = SyncProcess.Start("scan", link.Uri, pair.Target.Uri, "--command-timeout", "500ms");
        var (code, record) = await process.End().End(process);

        code.ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldContain("did not answer for a single key in time, again and again");
        record["partial"]!.GetValue<bool>().ShouldBeTrue();
    }

    [Fact]
    public async Task Manifest_ThatNamesAFileThatIsNotThere_IsRefused()
    {
        await using var target = await RedisServerProcess.Start();
        var manifest = Path.Combine(_folder, "appendonly.aof.manifest");
        await File.WriteAllTextAsync(manifest, "file gone.base.rdb seq 1 type b\n", Cancellation);

        await using var process = SyncProcess.StartFile("aof", manifest, target.Uri);
        (await process.End()).ShouldBe(2, process.ToString());

        process.Errors.ToString().ShouldContain("gone.base.rdb, which is not there");
    }

    [Fact]
    public async Task DamagedFile_EndsTheRunAtItsOffset()
    {
        await using var target = await RedisServerProcess.Start();
        await using var process = SyncProcess.StartFile(
            "rdb", RdbFile("00 01 6b 01 76", "00 01 62 7f"), target.Uri);

        var (code, record) = await process.End().End(process);

        code.ShouldBe(5, process.ToString());
        process.Errors.ToString().ShouldMatch("offset \\d+, key \"b\"");
        record.Synced("keys").ShouldBeLessThanOrEqualTo(1);
    }

    [Fact]
    public async Task Verification_NamesDamagedValues_AndWritesNothing()
    {
        // A hash whose listpack is none.
        var file = RdbFile("10 01 68 04 61626364", "00 01 6b 01 76");
        await using var process = ServiceProcess.Start(
            "Sync", "rdb", file, "--verify-only", "--format", "json", "--live", "none");

        var (code, record) = await process.End().End(process);

        code.ShouldBe(4, process.ToString());
        (record.Synced("keys"), record.Synced("skipped")).ShouldBe((1, 1));
        record["verdict"]!.ToJsonString().ShouldMatch("the value is damaged: .*the first h");
        Directory.GetFiles(_folder).ShouldBe([file]);

        await using var source = await Ends.Start(isCluster: false);
        source.Write();
        await using var whole = ServiceProcess.Start(
            "Sync", "sync", "--source", source.Uri, "--verify-only", "--no-stream", "--format", "json", "--live",
            "none");
        (code, record) = await whole.End().End(whole);
        code.ShouldBe(0, whole.ToString());
        (record.Synced("keys"), record.Synced("skipped")).ShouldBe((300, 0));
    }

    [Fact]
    public async Task Command_ThatNobodyKnows_EndsTheRun_UnlessItIsBlocked()
    {
        await using var source = await RedisServerProcess.Start(arguments: ["--rename-command", "SET", "OURSET"]);
        await using var target = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(source.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("RPUSH", "begin", "1");

        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri);
        await Eventually.Is("the data set is there", () => to.Execute("EXISTS", "begin").Number == 1);
        from.Execute("OURSET", "k", "1");
        (await process.End()).ShouldBe(4, process.ToString());
        process.Errors.ToString().ShouldContain("OURSET is a command that neither this tool nor the target knows");
        process.Errors.ToString().ShouldContain("--block-command");

        await using var blocking = SyncProcess.Start(
            "sync", source.Uri, target.Uri, "--block-command", "ourset", "--on-existing", "rewrite",
            "--checkpoint", "anew");
        to.Execute("DEL", "begin");
        await Eventually.Is("the data set is there", () => to.Execute("EXISTS", "begin").Number == 1);
        from.Execute("OURSET", "k", "2");
        from.Execute("RPUSH", "end", "1");
        await Eventually.Is("the stream goes on", () => to.Execute("EXISTS", "end").Number == 1);
        var (code, record) = await blocking.EndBy("INT").End(blocking);
        code.ShouldBe(130, blocking.ToString());
        record.Synced("filtered").ShouldBe(1);
    }

    [Fact]
    public async Task Function_ThatIsNoLua_IsRefused_AndOneThatFails_EndsTheRunAtTheKey()
    {
        await using var source = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("SET", "key", "1");
        var script = Path.Combine(_folder, "function.lua");

        await File.WriteAllTextAsync(script, "if CMD == 'SET' shake.call(DB, ARGV) end", Cancellation);
        (await SyncProcess.Refusal("sync", source.Uri, target.Uri, 2, "--function", script)).ShouldContain(
            ":1: 'then' expected near 'shake'");
        await File.WriteAllTextAsync(script, "shake.call(DB, {'multi'}) shake.call(DB, ARGV)", Cancellation);
        (await SyncProcess.Refusal("scan", source.Uri, target.Uri, 4, "--function", script)).ShouldContain(
            "shake.call was given multi, which changes the connection");
        await File.WriteAllTextAsync(script, "\nshake.call(DB, nothing.ARGV)", Cancellation);
        await using var process = SyncProcess.Start("sync", source.Uri, target.Uri, "--function", script);
        var (code, record) = await process.End().End(process);

        code.ShouldBe(4, process.ToString());
        process.Errors.ToString().ShouldMatch(
            "The function failed at RESTORE key: .*:2: attempt to index a nil value \\(global 'nothing'\\)");
        record.Synced("keys").ShouldBe(0);
    }

    [Fact]
    public async Task FileTarget_OnAFullDisk_EndsWith5_AndKeepsThePartialName()
    {
        await using var source = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("EVAL", "for i = 1, 100 do redis.call('SET', i, string.rep('x', 20000)) end", "0");
        // A mount of its own, so that nothing is left behind; as a user in a namespace where they are root.
        const string Mount = "U='unshare -m'; [ $(id -u) = 0 ] || U='unshare -rm'; $U sh -c "
            + "'mkdir full && mount -t tmpfs -o size=1m none full";
        await using var probe = ServiceProcess.StartShell($"{Mount}'");
        Assert.SkipWhen(await probe.End() != 0, $"no file system can be mounted here: {probe.Errors}");

        await using var process = ServiceProcess.StartShell(
            $"{Mount} && \"$PROGRAM\" scan --source {source.Uri} --live none "
                + "--destination-file full/commands; code=$?; ls full; exit $code'");
        (await process.End()).ShouldBe(5, process.ToString());

        process.Errors.ToString().ShouldContain("the file cannot be written: No space left on device");
        process.Output.ToString().ShouldContain("exit=5");
        process.Output.Lines[^1].ShouldBe("commands.partial");
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    // Nine letters of six bits, then ten bits of the version.
    private static byte[] ModuleId(string name, int version)
    {
        const string Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        var id = 0UL;
        foreach (var letter in name)
            id = (id << 6) | (uint)Letters.IndexOf(letter, StringComparison.Ordinal);
        return [.. BitConverter.GetBytes((id << 10) | (uint)version).Reverse()];
    }

    private string RdbFile(params string[] entries)
    {
        var file = Path.Combine(_folder, "dump.rdb");
        var body = Convert.FromHexString(string.Concat(entries).Replace(" ", "", StringComparison.Ordinal));
        File.WriteAllBytes(file, [.. "REDIS0009"u8, .. body, 0xff, 0, 0, 0, 0, 0, 0, 0, 0]);
        return file;
    }
}
