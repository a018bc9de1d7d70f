using System.Buffers.Binary;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Rdb;
using RedisLatency.Sync.Sources;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Sources;

/// <summary>Values of files that a target takes, and falls over later, or takes for something else.</summary>
public sealed class DamagedValueTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("damaged-values").FullName;

    [Theory]
    [InlineData("rdb")]
    [InlineData("aof")]
    public async Task DamagedValue_OfAFileWithoutAChecksum_IsSkipped_AndTheRestIsCarriedOver(string verb)
    {
        var file = Write([.. await Damaged(), .. verb == "aof" ? "*2\r\n$4\r\nINCR\r\n$1\r\nn\r\n"u8 : []]);
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);

        await using var process = SyncProcess.StartFile(verb, file, target.Uri);
        var (code, record) = await process.End().End(process);

        code.ShouldBe(4, process.ToString());
        (record.Synced("keys"), record.Synced("skipped")).ShouldBe((2, 1));
        record["verdict"]!.ToJsonString().ShouldMatch(@"the value is damaged: offset \d+, key .*the first h");
        to.Execute("EXISTS", "h").Number.ShouldBe(0);
        to.Execute("HGET", "whole", "f").Text.ShouldBe("v");
        to.Execute("EXISTS", "n").Number.ShouldBe(verb == "aof" ? 1 : 0);
        process.Errors.ToString().Contains("has no checksum").ShouldBe(verb == "rdb");
    }

    [Fact]
    public async Task DamagedValue_IsFoundByAVerification_AndNotSkippedWhereItIsLeftOut()
    {
        var file = Write(await Damaged());
        await using var target = await RedisServerProcess.Start();

        await using var verification = ServiceProcess.Start(
            "Sync", "rdb", file, "--verify-only", "--format", "json", "--live", "none");
        var (code, record) = await verification.End().End(verification);
        code.ShouldBe(4, verification.ToString());
        (record.Synced("keys"), record.Synced("skipped")).ShouldBe((2, 1));

        await using var filtered = SyncProcess.StartFile("rdb", file, target.Uri, "--block-key", "h");
        (code, record) = await filtered.End().End(filtered);
        code.ShouldBe(0, filtered.ToString());
        (record.Synced("filtered"), record.Synced("skipped")).ShouldBe((1, 0));
    }

    // The server of Redis 7.0 takes the value as it is, and ends when the key is read.
    [Fact]
    public async Task DamagedValue_OfAFileWhoseChecksumIsWrong_IsLeftOutBeforeTheTargetTakesIt()
    {
        var bytes = await Damaged();
        bytes[^1] ^= 1;
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);

        await using var process = SyncProcess.StartFile("rdb", Write(bytes), target.Uri);
        var (code, record) = await process.End().End(process);

        code.ShouldBe(5, process.ToString());
        (record.Synced("keys"), record.Synced("skipped")).ShouldBe((2, 1));
        record["verdict"]!.ToJsonString().ShouldMatch(@"the value is damaged: offset \d+, key .*the first h");
        process.ToString().ShouldContain("the checksum of the file is");
        record["verdict"]!.ToJsonString().ShouldContain("as another letter, passes");
        process.ToString().ShouldNotContain("was not read to its end");
        to.Execute("EXISTS", "h").Number.ShouldBe(0);
        to.Execute("HGET", "whole", "f").Text.ShouldBe("v");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Values_OfAFileWithAChecksum_ArePassedOnAsTheyAre(bool hasChecksum)
    {
        var bytes = await Damaged();
        if (hasChecksum)
        {
            // A dump ends as a file does: the checksum of all before it.
            var content = bytes[..^sizeof(ulong)];
            DumpPayload.Fill(
                bytes, content[0], content.AsSpan(1, content.Length - 3),
                BinaryPrimitives.ReadUInt16LittleEndian(content.AsSpan(content.Length - 2)));
        }

        using var sink = new TargetSink(target: null);
        using var stop = new Hosting.Running.StopSignal();
        using var reader = new RdbFileReader(Write(bytes), new());

        reader.Read(sink, stop);

        sink.Commands.Contains("RESTORE whole").ShouldBeTrue();
        sink.Commands.Contains("RESTORE h").ShouldBe(hasChecksum);
    }

    // Of type 22 there is another hash in Redis, and none at these targets.
    [Theory]
    [InlineData("redis-server")]
    [InlineData("valkey-server")]
    public async Task HashOfValkey9_WhoseFieldsExpire_BecomesAPlainOne_WhereTheTargetKnowsNone(string program)
    {
        ServerRequirement.Require(program);
        var time = new byte[8];
        BinaryPrimitives.WriteInt64LittleEndian(time, 4_102_444_800_000);
        byte[] never = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
        var file = Write(
        [
            .. "VALKEY080"u8, 22, 1, (byte)'h', 2, 1, (byte)'f', 1, (byte)'v', .. time,
            1, (byte)'g', 1, (byte)'w', .. never, 0xff, .. new byte[8],
        ]);
        await using var target = await RedisServerProcess.Start(program);
        using var to = SyncProcess.Open(target.Uri);

        await using var process = SyncProcess.StartFile("rdb", file, target.Uri);
        var (code, record) = await process.End().End(process);

        code.ShouldBe(4, process.ToString());
        to.Execute("HGETALL", "h").Items.Select(item => item.Text).ShouldBe(["f", "v", "g", "w"]);
        record["verdict"]!.ToJsonString()
            .ShouldMatch("a part of the value that the target does not know: times to live of a hash.*the first h");
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    // What a real server wrote of two hashes, with a bit flipped in the length of a field of one.
    private static async Task<byte[]> Damaged()
    {
        await using var source = await RedisServerProcess.Start(arguments: ["--rdbchecksum", "no"]);
        using var from = SyncProcess.Open(source.Uri);
        from.Execute("HSET", "h", "f", "x");
        from.Execute("HSET", "whole", "f", "v");
        from.Execute("SET", "s", "1");
        from.Execute("SAVE");
        var bytes = await File.ReadAllBytesAsync(
            Path.Combine(source.Folder, "dump.rdb"), TestContext.Current.CancellationToken);
        bytes[bytes.AsSpan().IndexOf((byte[])[0x81, (byte)'f', 2, 0x81, (byte)'x', 2]) + 2] ^= 0x80;
        return bytes;
    }

    private string Write(byte[] bytes)
    {
        var file = Path.Combine(_folder, "file");
        File.WriteAllBytes(file, bytes);
        return file;
    }
}
