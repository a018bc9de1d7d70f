using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Hosting.Running;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Rdb;
using RedisLatency.Sync.Pipeline;
using RedisLatency.Sync.Sources;

namespace RedisLatency.Sync.Tests.Sources;

/// <summary>Files that a real server wrote, read into another.</summary>
public sealed class FileReaderTests
{
    [Theory]
    [InlineData(RdbReader.DefaultBigValue)]
    [InlineData(500)]
    public async Task RdbFile_MakesTheTargetEqual(long bigValue)
    {
        await using var source = await SourceServers.Start();
        await using var target = await SourceServers.Start();
        using var client = SourceServers.Open(source);
        using var other = SourceServers.Open(target);
        SourceServers.Fill(client);
        client.Execute("FUNCTION", "LOAD", "#!lua name=lib\nredis.register_function('f', function() return 1 end)");
        client.Execute("SAVE");
        using var sink = new TargetSink(target);

        Read(new RdbFileReader(
            Path.Combine(source.Folder, "dump.rdb"), new() { BigValue = bigValue, Target = new(false, 10) }), sink);

        SourceServers.Digest(other).ShouldBe(SourceServers.Digest(client));
        other.Execute("FCALL", "f", "0").Number.ShouldBe(1);
        if (bigValue != RdbReader.DefaultBigValue)
        {
            sink.Parts.ShouldBe([ValuePart.None, ValuePart.First, ValuePart.Middle, ValuePart.Last], ignoreOrder: true);
            sink.Notes.ShouldContain(note => note.StartsWith("not-atomic: "));
        }
    }

    [Fact]
    public async Task AofOfManyFiles_MakesTheTargetEqual_OrAsItWasThen()
    {
        await using var source = await SourceServers.Start(
            "--appendonly", "yes", "--aof-timestamp-enabled", "yes", "--appendfsync", "always");
        await using var target = await SourceServers.Start();
        using var client = SourceServers.Open(source);
        using var other = SourceServers.Open(target);
        SourceServers.Fill(client, 50);
        client.Execute("BGREWRITEAOF");
        await Eventually.Is(
            "it is rewritten", () => Info(client, "aof_rewrite_in_progress:0", "aof_rewrite_scheduled:0"));
        client.Execute("SET", "k", "then");
        var second = client.Execute("TIME").Items[0].Text;
        await Eventually.Is("a second has passed", () => client.Execute("TIME").Items[0].Text != second);
        client.Execute("SET", "k", "later");
        client.Execute("MULTI");
        client.Execute("INCR", "x");
        client.Execute("INCR", "y");
        client.Execute("EXEC");
        var manifest = Directory.GetFiles(Path.Combine(source.Folder, "appendonlydir"), "*.manifest").Single();
        await source.Kill();

        using (var sink = new TargetSink(target))
            Read(new AofFileReader(manifest, new()), sink);
        other.Execute("GET", "k").Text.ShouldBe("later");
        other.Execute("MGET", "x", "y").ToString().ShouldContain("1");
        await source.Restart();
        using (var reloaded = SourceServers.Open(source))
            SourceServers.Digest(other).ShouldBe(SourceServers.Digest(reloaded));

        other.Execute("FLUSHALL");
        using (var sink = new TargetSink(target))
            Read(new AofFileReader(manifest, new() { Until = long.Parse(second) }), sink);
        other.Execute("GET", "k").Text.ShouldBe("then");
        other.Execute("EXISTS", "x").Number.ShouldBe(0);
    }

    [Theory]
    [InlineData("*2\r\n$3\r\nDEL\r\n$1\r\na\r\n*2\r\n$3\r\nDEL\r\n$1\r", "offset 20: its last 16 bytes")]
    [InlineData(
        "*2\r\n$3\r\nDEL\r\n$1\r\na\r\n*1\r\n$5\r\nMULTI\r\n*2\r\n$3\r\nDEL\r\n$1\r\nb\r\n", "within a transaction")]
    public void CutAof_IsReadToWhereItIsWhole_AndSaysSo(string content, string said)
    {
        using var sink = new TargetSink(target: null);
        using var file = new WrittenFile(content);

        Read(new AofFileReader(file.Path, new()), sink);

        sink.Commands.ShouldBe(["DEL a"]);
        sink.Notes.Single().ShouldStartWith("truncated: ");
        sink.Notes.Single().ShouldContain(said);
    }

    [Theory]
    [InlineData("*2\r\n$3\r\nDEL\r\n$1\r\na\r\nX2\r\n", "offset 20")]
    [InlineData("*2\r\n$3\r\nDEL\r\n$1\r\na\r\n*2\r\n$x\r\n", "offset 20")]
    [InlineData("*2\r\n$6\r\nSELECT\r\n$1\r\na\r\n", "SELECT of no database")]
    [InlineData("*1\r\n$9999999999999\r\n", "offset 0")]
    public void DamagedAof_NamesTheOffset(string content, string said)
    {
        using var sink = new TargetSink(target: null);
        using var file = new WrittenFile(content);

        Should.Throw<RedisProtocolException>(() => Read(new AofFileReader(file.Path, new()), sink))
            .Message.ShouldContain(said);
    }

    [Fact]
    public void DamagedAof_AtRandom_GivesCommandsOrAProtocolError()
    {
        var random = new Random(3);
        var whole = Encoding.ASCII.GetBytes(
            "#TS:1700000000\r\n*2\r\n$6\r\nSELECT\r\n$1\r\n2\r\n*1\r\n$5\r\nMULTI\r\n"
            + "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n*1\r\n$4\r\nEXEC\r\n*2\r\n$3\r\nDEL\r\n$1\r\nk\r\n");
        for (var round = 0; round < 2000; round++)
        {
            var bytes = whole.ToArray();
            for (var i = random.Next(1, 4); i > 0; i--)
                bytes[random.Next(bytes.Length)] = (byte)"*$0123456789\r\n#XS\0"[random.Next(18)];
            using var sink = new TargetSink(target: null);
            using var file = new WrittenFile(Encoding.Latin1.GetString(bytes));
            try
            {
                Read(new AofFileReader(file.Path, new()), sink);
            }
            catch (RedisException problem) when (problem is RedisProtocolException or RdbException)
            {
            }
        }
    }

    [Fact]
    public void Stream_CutAtEveryByte_GivesTheSameCommands_AndGoesOnBeforeTheTransaction()
    {
        var bytes = Encoding.ASCII.GetBytes(
            "*2\r\n$6\r\nSELECT\r\n$1\r\n2\r\n*1\r\n$4\r\nping\r\n*1\r\n$5\r\nMULTI\r\n"
            + "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n*1\r\n$4\r\nEXEC\r\n*2\r\n$3\r\nDEL\r\n$1\r\nk\r\n"
            + "*3\r\n$8\r\nREPLCONF\r\n$6\r\nGETACK\r\n$1\r\n*\r\n");
        for (var cut = 0; cut <= bytes.Length; cut++)
        {
            using var sink = new TargetSink(target: null);
            var batch = new SyncBatch();
            var stream = new CommandStream(batch);
            stream.StartAt(1000, 0);
            Take(stream, bytes.AsSpan(0, cut));
            // As if the link had been lost there.
            var (offset, database) = (stream.SettledOffset, stream.SettledDatabase);
            stream.StartAt(offset, database);
            Take(stream, bytes.AsSpan((int)(offset - 1000)));

            batch.Offset.ShouldBe(1000 + bytes.Length);
            batch.Entries.ToArray().ShouldAllBe(entry => entry.Database == 2);
            sink.Pass(batch);
            sink.Commands.ShouldBe(["SET k v", "DEL k"]);
            sink.Transactions[0].ShouldBeGreaterThan(0);
            sink.Transactions[1].ShouldBe(0);
        }
    }

    private static void Take(CommandStream stream, ReadOnlySpan<byte> bytes)
    {
        stream.Buffer.Append(bytes);
        while (stream.TryTake())
        {
        }
    }

    private static void Read(ISyncReader reader, ISyncSink sink)
    {
        using var stop = new StopSignal();
        using (reader)
            reader.Read(sink, stop);
    }

    private static bool Info(RedisConnection client, params string[] facts) =>
        facts.All(client.Execute("INFO", "persistence").Text.Contains);

    private sealed class WrittenFile : IDisposable
    {
        public WrittenFile(string content) => File.WriteAllBytes(Path, Encoding.Latin1.GetBytes(content));

        public string Path { get; } = System.IO.Path.GetTempFileName();

        public void Dispose() => File.Delete(Path);
    }
}
