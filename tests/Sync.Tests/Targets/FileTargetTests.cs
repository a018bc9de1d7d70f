using System.Buffers.Binary;
using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Targets;

/// <summary>Files of commands, carried out again by a server.</summary>
public sealed class FileTargetTests : IDisposable
{
    // As a script writes it: bytes that are no text in any of the formats.
    private const string Odd = """
        '\0\255"\\\r\n \195'
        """;

    private readonly string _folder = Directory.CreateTempSubdirectory("file-target").FullName;

    private string FilePath => Path.Combine(_folder, "commands");

    [Theory]
    [InlineData("aof")]
    [InlineData("cmd")]
    public async Task Sync_ToAFile_HoldsKeysAndWhatIsWrittenMeanwhile(string format)
    {
        await using var source = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        await using var target = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        WriteKeys(source);

        await using var process = Start("sync", "--source", source.Uri, "--file-format", format);
        var partial = FilePath + ".partial";
        await Eventually.Is("the data set is there", () => File.Exists(partial) && TextOf(partial).Contains("stream:9"));
        using (var connection = SyncProcess.Open(source.Uri))
        {
            connection.Execute("SELECT", "3");
            connection.Execute("MULTI");
            connection.Execute("RPUSH", "later", "a", "b");
            connection.Execute("DEL", "string:7");
            connection.Execute("EXEC");
            connection.Execute("SET", "last", "1");
        }

        await Eventually.Is("the last key is there", () => TextOf(partial).Contains("last"));
        if (!OperatingSystem.IsWindows())
            File.GetUnixFileMode(partial).ShouldBe(UnixFileMode.UserRead | UnixFileMode.UserWrite);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        File.Exists(partial).ShouldBeFalse();
        record.Synced("keys").ShouldBe(601);
        record.Synced("commands").ShouldBe(3);
        record.Sync()["target"]!.GetValue<string>().ShouldBe(FilePath);
        TextOf(FilePath).ShouldContain("MULTI");
        await Shell(format == "aof"
            ? $"redis-check-aof '{FilePath}' && redis-cli -u {target.Uri} --pipe <'{FilePath}'"
            : $"redis-cli -u {target.Uri} <'{FilePath}'");
        KeyContents.Of(target).ShouldBe(KeyContents.Of(source));
    }

    [Theory]
    [InlineData("sync", "--source")]
    [InlineData("rdb")]
    public async Task File_OfARunThatIsStoppedInTheDataSet_StaysPartial(params string[] verb)
    {
        await using var source = await RedisServerProcess.Start(arguments: ["--rdbcompression", "no"]);
        using (var connection = SyncProcess.Open(source.Uri))
        {
            connection.Execute(
                "EVAL", "for i = 1, 5000 do redis.call('SET', 'key:' .. i, string.rep('x', 2000)) end", "0");
            connection.Execute("SAVE");
        }

        var from = verb.Length > 1 ? source.Uri : Path.Combine(source.Folder, "dump.rdb");
        await using var process = Start([.. verb, from, "--rate", "500"]);
        var partial = FilePath + ".partial";
        await Eventually.Is("some of it is there", () => File.Exists(partial) && new FileInfo(partial).Length > 0);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record["partial"]!.GetValue<bool>().ShouldBeTrue();
        (File.Exists(partial), File.Exists(FilePath)).ShouldBe((true, false));
    }

    [Fact]
    public async Task Rdb_AsJson_IsACommandALine_WithEveryByte()
    {
        await using var source = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        await using var target = await RedisServerProcess.Start(arguments: KeyContents.Debuggable);
        WriteKeys(source);
        using (var connection = SyncProcess.Open(source.Uri))
            connection.Execute("SAVE");

        await using var process = Start("rdb", Path.Combine(source.Folder, "dump.rdb"), "--file-format", "json");
        (await process.End()).ShouldBe(0, process.ToString());

        var request = new RespWriter();
        foreach (var line in await File.ReadAllLinesAsync(FilePath, TestContext.Current.CancellationToken))
        {
            var command = JsonNode.Parse(line)!;
            request.WriteRequest("SELECT", command["db"]!.ToJsonString());
            var words = command["argv"]!.AsArray();
            request.WriteArrayHeader(words.Count);
            foreach (var word in words)
            {
                if (word is JsonObject binary)
                    request.WriteBulkString(Convert.FromBase64String(binary["base64"]!.GetValue<string>()));
                else
                    request.WriteBulkString(word!.GetValue<string>());
            }
        }

        await File.WriteAllBytesAsync(FilePath, request.Written.ToArray(), TestContext.Current.CancellationToken);
        await Shell($"redis-cli -u {target.Uri} --pipe <'{FilePath}'");
        KeyContents.Of(target).ShouldBe(KeyContents.Of(source));
    }

    [Theory]
    [InlineData(false, "the checksum of the dump is")]
    [InlineData(true, "a dump of 5 bytes is too short")]
    public async Task Dump_ThatIsDamaged_IsSkippedAndNamed(bool isShort, string damage)
    {
        await using var server = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(server.Uri);
        from.Execute("MSET", "damaged", "whole", "other", "1");
        var dump = Latin1(from.Execute("DUMP", "damaged").Content);
        using var source = AlteredReplies.Of(
            server, reply => reply.Replace(Bulk(dump), Bulk(isShort ? dump[..5] : dump.Replace("whole", "wh0le"))));

        await using var process = Start("scan", "--source", source.Uri);
        var (code, record) = await process.End().End(process);

        code.ShouldBe(4, process.ToString());
        (record.Synced("keys"), record.Synced("skipped")).ShouldBe((1, 1));
        record["verdict"]!.ToJsonString().ShouldMatch($"the value is damaged: .*{damage}.*the first damaged");
        TextOf(FilePath).ShouldContain("other");
        TextOf(FilePath).ShouldNotContain("damaged");
    }

    // As Redis 8.6 gives it, which is not at hand.
    [Theory]
    [InlineData(true, "a part of the value that no command can make")]
    [InlineData(false, "a part of the value that the target does not know")]
    public async Task DataThatModulesAttachedToAKey_IsMissed_WhereADumpBecomesCommands(bool isFile, string reason)
    {
        await using var server = await RedisServerProcess.Start();
        await using var target = await RedisServerProcess.Start();
        using var from = SyncProcess.Open(server.Uri);
        using var to = SyncProcess.Open(target.Uri);
        from.Execute("MSET", "key", "value", "other", "1");
        var dump = from.Execute("DUMP", "key").Content.ToArray();
        byte[] value = [1, 1, 2, 3, 4, 2, 7, 0, .. dump[..^10]];
        var attached = new byte[value.Length + DumpPayload.Overhead];
        DumpPayload.Fill(attached, 243, value, BinaryPrimitives.ReadUInt16LittleEndian(dump.AsSpan(dump.Length - 10)));
        using var source = AlteredReplies.Of(
            server, reply => reply.Replace(Bulk(Latin1(dump)), Bulk(Latin1(attached))));

        await using var process = isFile
            ? Start("scan", "--source", source.Uri, "--file-format", "cmd")
            : SyncProcess.Start("scan", source.Uri, target.Uri);
        var (code, record) = await process.End().End(process);

        code.ShouldBe(4, process.ToString());
        (record.Synced("keys"), record.Synced("skipped")).ShouldBe((2, 1));
        record["verdict"]!.ToJsonString().ShouldContain($"{reason}: data that modules attached to the key, the first key");
        if (isFile)
            TextOf(FilePath).ShouldContain("SET key value");
        else
            to.Execute("GET", "key").Text.ShouldBe("value");
    }

    [Fact]
    public async Task File_ThatIsThereOrCannotBeMade_IsRefused_AndSoAreTwoTargets()
    {
        await using var source = await RedisServerProcess.Start();
        await File.WriteAllTextAsync(FilePath, "precious", TestContext.Current.CancellationToken);

        await using var there = Start("scan", "--source", source.Uri);
        (await there.End()).ShouldBe(3, there.ToString());
        there.Errors.ToString().ShouldContain("It is there already; remove it or choose another.");
        TextOf(FilePath).ShouldBe("precious");
        await using var folder = ServiceProcess.Start(
            "Sync", "scan", "--source", source.Uri, "--destination-file", _folder);
        (await folder.End()).ShouldBe(3, folder.ToString());
        await using var nowhere = ServiceProcess.Start(
            "Sync", "scan", "--source", source.Uri, "--destination-file", Path.Combine(_folder, "no", "file"));
        (await nowhere.End()).ShouldBe(3, nowhere.ToString());
        await using var both = Start("scan", "--source", source.Uri, "--destination", source.Uri);
        (await both.End()).ShouldBe(2, both.ToString());
        await using var kept = Start("scan", "--source", source.Uri, "--on-existing", "skip");
        (await kept.End()).ShouldBe(2, kept.ToString());
        kept.Errors.ToString().ShouldContain("a new file has no keys yet");
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static string TextOf(string file)
    {
        using var stream = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        return new StreamReader(stream, System.Text.Encoding.Latin1).ReadToEnd();
    }

    private static async Task Shell(string script)
    {
        await using var shell = ServiceProcess.StartShell(script);
        (await shell.End()).ShouldBe(0, shell.ToString());
        shell.Output.ToString().ShouldNotContain("ERR ", Case.Sensitive);
    }

    private static string Latin1(ReadOnlySpan<byte> bytes) => System.Text.Encoding.Latin1.GetString(bytes);

    private static string Bulk(string text) => $"${text.Length}\r\n{text}\r\n";

    private static void WriteKeys(RedisServerProcess server)
    {
        using var connection = SyncProcess.Open(server.Uri);
        KeyContents.Write(connection);
        connection.Execute("SELECT", "3");
        KeyContents.Write(connection);
        connection.Execute("EVAL", $"return redis.call('SET', {Odd}, {Odd})", "0");
    }

    private ServiceProcess Start(params string[] arguments) => ServiceProcess.Start(
        "Sync", [.. arguments, "--destination-file", FilePath, "--format", "json", "--live", "none"]);
}
