using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Sources;

/// <summary>Append-only files as users give them.</summary>
public sealed class AofFileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("aof").FullName;

    [Theory]
    [InlineData("no", "4102444800", "Commands without a time are at the target")]
    [InlineData("yes", "1", "The base was written at 1")]
    public async Task Until_ThatAServersFileCannotTell_IsNotValid(string hasTimes, string until, string said)
    {
        await using var source = await SourceServers.Start(
            "--appendonly", "yes", "--appendfsync", "always", "--aof-timestamp-enabled", hasTimes);
        await using var target = await SourceServers.Start();
        using var client = SourceServers.Open(source);
        client.Execute("SET", "k", "1");

        var (process, record) = await Run(ManifestOf(source), target, exitCode: 4, "--until", until);

        record.Synced("skipped").ShouldBe(0);
        process.ShouldContain(said);
    }

    // As RedisShake reads it: increments are cut at a time, a base of commands is not.
    [Theory]
    [InlineData(1700000001, 0)]
    [InlineData(1700000000, 4)]
    public async Task Base_IsReadWhole_AndIncrementsUpToATime(long baseTime, int exitCode)
    {
        await using var target = await SourceServers.Start();
        var manifest = Path.Combine(target.Folder, "given.manifest");
        await File.WriteAllTextAsync(
            manifest, "file 1.aof seq 1 type b\nfile 2.aof seq 1 type i\n", SourceServers.Cancellation);
        await Write(
            target,
            $"#TS:1700000000\r\n{Sets("old", 1)}#TS:1700000001\r\n{Sets("end", 1)}",
            $"#TS:1700000001\r\n{Sets("now", 1)}#TS:1700000002\r\n{Sets("new", 1)}");

        var (process, record) = await Run(manifest, target, exitCode, "--until", $"{baseTime}");

        record.Synced("commands").ShouldBe(exitCode == 0 ? 3 : 2);
        process.Contains("The base was written at 1700000001", StringComparison.Ordinal).ShouldBe(exitCode != 0);
    }

    // A server begins a file without one in the second of the last.
    [Theory]
    [InlineData("#TS:1700000000\r\n", 0)]
    [InlineData("#TS:1700000001\r\n", 4)]
    [InlineData("#TS1700000000\r\n", 0)]
    [InlineData("", 4)]
    public async Task Commands_WithoutATime_AreNotLaterThanOneBehindThem(string behind, int exitCode)
    {
        await using var target = await SourceServers.Start();
        var file = Path.Combine(_folder, "appendonly.aof");
        await File.WriteAllTextAsync(
            file, $"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\n1\r\n{behind}", SourceServers.Cancellation);

        var (_, record) = await Run(file, target, exitCode, "--until", "1700000000");

        record.Synced("commands").ShouldBe(1);
    }

    [Theory]
    [InlineData(1600000000, 4, "which begins at 1700000000")]
    [InlineData(1700000000, 0, "\"status\": \"valid\"")]
    public async Task Until_BeforeAFileBegins_IsNotValid(long until, int exitCode, string said)
    {
        await using var target = await SourceServers.Start();
        var file = Path.Combine(_folder, "appendonly.aof");
        await File.WriteAllTextAsync(
            file, "#TS:1700000000\r\n*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\n1\r\n", SourceServers.Cancellation);

        var (process, record) = await Run(file, target, exitCode, "--until", $"{until}");

        process.ShouldContain(said);
        record.Synced("commands").ShouldBe(exitCode == 0 ? 1 : 0);
    }

    [Fact]
    public async Task TimesToLive_ThatAreOver_WaitForWhatLaterCommandsSay()
    {
        await using var source = await SourceServers.Start("--appendonly", "yes", "--appendfsync", "always");
        await using var target = await SourceServers.Start();
        using var client = SourceServers.Open(source);
        client.Execute("SET", "restored", "1", "PX", "5000");
        client.Execute("BGREWRITEAOF");
        await Eventually.Is("it is rewritten", () =>
            client.Execute("INFO", "persistence").Text.Contains("aof_rewrite_in_progress:0"));
        foreach (var key in new[] { "longer", "persistent", "deleted" })
            client.Execute("SET", key, "1", "PX", "5000");
        client.Execute("HSET", "hash", "f", "1");
        client.Execute("EXPIREAT", "hash", $"{TimeProvider.System.GetUtcNow().ToUnixTimeSeconds() + 5}");
        client.Execute("PEXPIRE", "restored", "7200000");
        client.Execute("PEXPIRE", "longer", "7200000");
        client.Execute("PEXPIRE", "hash", "7200000");
        client.Execute("PERSIST", "persistent");
        await Eventually.Is("one has expired", () => client.Execute("EXISTS", "deleted").Number == 0);

        var (process, _) = await Run(ManifestOf(source), target, exitCode: 0);

        using var other = SourceServers.Open(target);
        KeyContents.CountIn(other).ShouldBe(4);
        foreach (var key in new[] { "restored", "longer", "hash" })
            other.Execute("PTTL", key).Number.ShouldBeInRange(7_000_000, 7_200_000);
        other.Execute("PTTL", "persistent").Number.ShouldBe(-1);
        process.ShouldContain("5 times to live were over");
    }

    [Fact]
    public async Task File_ThatIsCutOffWhileItIsRead_IsNotValid()
    {
        const int Commands = 600;
        await using var target = await SourceServers.Start();
        var value = new string('x', 4096);
        var commands = Enumerable.Range(0, Commands).Select(
            number => $"*3\r\n$3\r\nSET\r\n$4\r\n{number:0000}\r\n$4096\r\n{value}\r\n").ToList();
        var path = Path.Combine(_folder, "whole.aof");
        await File.WriteAllTextAsync(path, string.Concat(commands), TestContext.Current.CancellationToken);
        await using var process = SyncProcess.StartFile("aof", path, target.Uri, "--rate", "300");
        using var client = SourceServers.Open(target);
        await process.Until("some are there", () => KeyContents.CountIn(client) > 0);

        await using (var file = new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
            file.SetLength((long)commands[0].Length * (Commands - 100));
        var (code, record) = await process.End().End(process);

        KeyContents.CountIn(client).ShouldBe(Commands - 100);
        code.ShouldBe(4, process.ToString());
        record["verdict"]!.ToJsonString().ShouldContain("it was cut off meanwhile");
    }

    [Fact]
    public async Task File_ThatIsWrittenAnewWhileItIsRead_IsNotValid()
    {
        await using var target = await SourceServers.Start();
        var path = Path.Combine(_folder, "whole.aof");
        await File.WriteAllTextAsync(path, Sets("old", 600), TestContext.Current.CancellationToken);
        await using var process = SyncProcess.StartFile("aof", path, target.Uri, "--rate", "300");
        using var client = SourceServers.Open(target);
        await process.Until("some are there", () => KeyContents.CountIn(client) > 0);

        // In its place, as cp does; between the two it would be a file that was cut off.
        process.Signal("STOP");
        await using (var file = new FileStream(path, FileMode.Truncate, FileAccess.Write, FileShare.ReadWrite))
            await file.WriteAsync(System.Text.Encoding.ASCII.GetBytes(Sets("new", 600)), SourceServers.Cancellation);
        process.Signal("CONT");
        var (code, record) = await process.End().End(process);

        code.ShouldBe(4, process.ToString());
        record["verdict"]!.ToJsonString().ShouldContain("was written anew meanwhile");
    }

    // As a server does that rewrites its file.
    [Fact]
    public async Task Increment_ThatIsRemovedBeforeItsTurn_IsRead()
    {
        await using var target = await SourceServers.Start();
        var manifest = await ManifestOfTwo(target);
        await Write(target, Sets("one", 300), Sets("two", 10));
        await using var process = SyncProcess.StartFile("aof", manifest, target.Uri, "--rate", "300");
        using var client = SourceServers.Open(target);
        await process.Until("some are there", () => KeyContents.CountIn(client) > 0);

        File.Delete(Path.Combine(target.Folder, "2.aof"));

        (await process.End()).ShouldBe(0, process.ToString());
        KeyContents.CountIn(client).ShouldBe(310);
    }

    private static string Sets(string prefix, int count) => string.Concat(Enumerable.Range(0, count).Select(
        number => $"*3\r\n$3\r\nSET\r\n$7\r\n{prefix}{number:0000}\r\n$4096\r\n{new string('x', 4096)}\r\n"));

    [Fact]
    public async Task File_ThatIsCutOff_IsPartialAndDoubtful()
    {
        await using var source = await SourceServers.Start("--appendonly", "yes", "--appendfsync", "always");
        await using var target = await SourceServers.Start();
        using var client = SourceServers.Open(source);
        client.Execute("SET", "whole", "1");
        client.Execute("SET", "cut", "1");
        await source.Kill();
        var increment = Directory.GetFiles(Path.Combine(source.Folder, "appendonlydir"), "*.incr.aof").Single();
        await using (var file = File.OpenWrite(increment))
            file.SetLength(file.Length - 1);

        var (_, record) = await Run(ManifestOf(source), target, exitCode: 0);

        using var other = SourceServers.Open(target);
        other.Execute("KEYS", "*").Items.Single().Text.ShouldBe("whole");
        record["partial"]!.GetValue<bool>().ShouldBeTrue();
        record["partialReason"]!.GetValue<string>().ShouldContain("ends in the middle of a command");
        record["verdict"]!["status"]!.GetValue<string>().ShouldBe("doubtful", StringCompareShould.IgnoreCase);
        record["verdict"]!.ToJsonString().ShouldContain("bytes are left out");
    }

    [Theory]
    [InlineData("aof", 0, true)]
    [InlineData("rdb", 5, false)]
    public async Task RdbFile_WithMoreBehindIt_IsReadToItsEndByTheVerbThatKnowsOf(string verb, int exitCode, bool isRead)
    {
        await using var source = await SourceServers.Start();
        await using var target = await SourceServers.Start();
        using var client = SourceServers.Open(source);
        client.Execute("SET", "base", "1");
        client.Execute("SAVE");
        var file = Path.Combine(source.Folder, "dump.rdb");
        await File.AppendAllTextAsync(file, "*3\r\n$3\r\nSET\r\n$4\r\nlate\r\n$1\r\n1\r\n", SourceServers.Cancellation);

        await using var process = SyncProcess.StartFile(verb, file, target.Uri);
        (await process.End()).ShouldBe(exitCode, process.ToString());

        using var other = SourceServers.Open(target);
        other.Execute("EXISTS", "base").Number.ShouldBe(1);
        other.Execute("EXISTS", "late").Number.ShouldBe(isRead ? 1 : 0);
        if (!isRead)
            process.Errors.ToString().ShouldContain("and 30 bytes follow, which were not read");
    }

    [Theory]
    [InlineData("rdb", 0, "")]
    [InlineData("aof", 2, "this is a pipe")]
    public async Task Pipe_IsReadOnce_OrRefused(string verb, int exitCode, string text)
    {
        await using var source = await SourceServers.Start();
        await using var target = await SourceServers.Start();
        using var client = SourceServers.Open(source);
        client.Execute("SET", "key", "1");
        client.Execute("SAVE");
        var pipe = Path.Combine(_folder, "pipe");
        using (var made = System.Diagnostics.Process.Start("mkfifo", [pipe]))
            await made.WaitForExitAsync(SourceServers.Cancellation);

        await using var process = SyncProcess.StartFile(verb, pipe, target.Uri);
        using var cat = System.Diagnostics.Process.Start(
            "sh", ["-c", "cat \"$0\" > \"$1\"", Path.Combine(source.Folder, "dump.rdb"), pipe]);
        (await process.End()).ShouldBe(exitCode, process.ToString());
        await cat.WaitForExitAsync(SourceServers.Cancellation);

        using var other = SourceServers.Open(target);
        other.Execute("EXISTS", "key").Number.ShouldBe(exitCode == 0 ? 1 : 0);
        process.Errors.ToString().ShouldContain(text);
    }

    [Fact]
    public async Task Transaction_WithoutItsEnd_EndsTheRun_UnlessTheFileIsTheLast()
    {
        await using var target = await SourceServers.Start();
        const string Half = "*1\r\n$5\r\nMULTI\r\n*3\r\n$3\r\nSET\r\n$4\r\nhalf\r\n$1\r\n1\r\n";
        const string Whole = "*3\r\n$3\r\nSET\r\n$5\r\nwhole\r\n$1\r\n1\r\n";
        var manifest = await ManifestOfTwo(target);
        await Write(target, Half, Whole);

        await Run(manifest, target, exitCode: 5);

        using var client = SourceServers.Open(target);
        KeyContents.CountIn(client).ShouldBe(0);
        await Write(target, Whole, Half);
        await Run(manifest, target, exitCode: 0);
        client.Execute("KEYS", "*").Items.Single().Text.ShouldBe("whole");
    }

    [Fact]
    public async Task File_ThatIsDamaged_IsReadUpToThere()
    {
        await using var target = await SourceServers.Start();
        var file = Path.Combine(_folder, "appendonly.aof");
        await File.WriteAllTextAsync(
            file, "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\n1\r\n*x\r\n", SourceServers.Cancellation);

        var (_, record) = await Run(file, target, exitCode: 5);

        (record.Synced("read"), record.Synced("commands")).ShouldBe((1, 1));
        using var client = SourceServers.Open(target);
        client.Execute("GET", "k").Text.ShouldBe("1");
    }

    [Fact]
    public async Task Parts_BeginInDatabase0_AsServersReadThem()
    {
        await using var target = await SourceServers.Start();
        var manifest = Path.Combine(target.Folder, "given.manifest");
        await File.WriteAllTextAsync(
            manifest, "file 1.aof seq 1 type b\nfile 2.aof seq 1 type i\n", TestContext.Current.CancellationToken);
        await Write(
            target, "*2\r\n$6\r\nSELECT\r\n$1\r\n3\r\n", "*3\r\n$3\r\nSET\r\n$3\r\nkey\r\n$1\r\n1\r\n");

        await Run(manifest, target, exitCode: 0);

        using var client = SourceServers.Open(target);
        client.Execute("EXISTS", "key").Number.ShouldBe(1);
    }

    [Theory]
    [InlineData("", "this manifest names no file to read")]
    [InlineData("file old.aof seq 1 type h\n", "this manifest names no file to read")]
    [InlineData("file 2.aof seq 2 type i\nfile 1.aof seq 1 type i\n", "offset 24: increment 1 stands behind 2")]
    public async Task Manifest_ThatNamesNothingToRead_OrIsWrong_IsRefused(string content, string why)
    {
        await using var target = await SourceServers.Start();
        var file = Path.Combine(_folder, "appendonly.aof.manifest");
        await File.WriteAllTextAsync(file, content, SourceServers.Cancellation);

        (await Refusal("aof", file, target)).ShouldContain($"{file}: {why}");
    }

    [Fact]
    public async Task Folder_IsToldFromAMissingFile_WithTheManifestInIt()
    {
        await using var source = await SourceServers.Start("--appendonly", "yes");
        await using var target = await SourceServers.Start();
        var manifest = ManifestOf(source);

        foreach (var folder in (string[])[source.Folder, Path.GetDirectoryName(manifest)!])
        {
            (await Refusal("aof", folder, target)).ShouldContain(
                $"FILE {folder}: this is a folder; the manifest in it is {manifest}");
        }

        (await Refusal("aof", _folder, target)).ShouldContain($"FILE {_folder}: this is a folder");
        (await Refusal("rdb", source.Folder, target)).ShouldContain($"FILE {source.Folder}: this is a folder");
        (await Refusal("rdb", Path.Combine(_folder, "gone"), target)).ShouldContain("there is no such file");
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static string ManifestOf(RedisServerProcess server) =>
        Directory.GetFiles(Path.Combine(server.Folder, "appendonlydir"), "*.manifest").Single();

    private static async Task<string> ManifestOfTwo(RedisServerProcess target)
    {
        var manifest = Path.Combine(target.Folder, "given.manifest");
        await File.WriteAllTextAsync(
            manifest, "file 1.aof seq 1 type i\nfile 2.aof seq 2 type i\n", TestContext.Current.CancellationToken);
        return manifest;
    }

    private static async Task Write(RedisServerProcess target, params string[] contents)
    {
        for (var i = 0; i < contents.Length; i++)
        {
            await File.WriteAllTextAsync(
                Path.Combine(target.Folder, $"{i + 1}.aof"), contents[i], TestContext.Current.CancellationToken);
        }
    }

    private static async Task<string> Refusal(string verb, string file, RedisServerProcess target)
    {
        await using var process = SyncProcess.StartFile(verb, file, target.Uri);
        (await process.End()).ShouldBe(2, process.ToString());
        return process.Errors.ToString();
    }

    private static async Task<(string Process, JsonNode Record)> Run(
        string file, RedisServerProcess target, int exitCode, params string[] arguments)
    {
        await using var process = SyncProcess.StartFile("aof", file, target.Uri, arguments);
        var (code, record) = await process.End().End(process);
        code.ShouldBe(exitCode, process.ToString());
        return (process.ToString(), record);
    }
}
