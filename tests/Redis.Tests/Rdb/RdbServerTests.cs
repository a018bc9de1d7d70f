using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Tests.Rdb;

/// <summary>Files that real servers write, and what other servers make of their values.</summary>
public sealed class RdbServerTests
{
    private static readonly RdbFormat OfRedis7 = new(IsValkey: false, 10);
    private static readonly RdbFormat OfValkey8 = new(IsValkey: false, 11);

    public static TheoryData<string, string, bool> Pairs => new(
        from source in (string[])["redis-server", "valkey-server"]
        from target in (string[])["redis-server", "valkey-server"]
        from isTyped in (bool[])[false, true]
        select (source, target, isTyped));

    [Theory]
    [MemberData(nameof(Pairs))]
    public async Task KeysOfOneServer_AreTheSameInAnother(string source, string target, bool isTyped)
    {
        await using var from = await FilledServer.Start(source);
        await using var to = await FilledServer.Start(target);
        using var reader = FilledServer.Open(from);
        using var writer = FilledServer.Open(to);
        FilledServer.Fill(reader);
        using var pipeline = RedisPipeline.Open(RedisEndpoint.Parse(to.Uri), Patience.Connection);

        Copy(Save(from, reader), pipeline, target == "redis-server" ? OfRedis7 : OfValkey8, isTyped);

        FilledServer.Differences(writer, reader).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("redis-server")]
    [InlineData("valkey-server")]
    public async Task Value_LongerThanMayBeHeld_IsTakenApartOnTheWay(string program)
    {
        await using var from = await FilledServer.Start(program);
        await using var to = await FilledServer.Start(program);
        using var reader = FilledServer.Open(from);
        using var writer = FilledServer.Open(to);
        FilledServer.Fill(reader);
        using var pipeline = RedisPipeline.Open(RedisEndpoint.Parse(to.Uri), Patience.Connection);

        var big = Copy(Save(from, reader), pipeline, OfRedis7, isTyped: false, bigValue: 1000);

        big.ShouldContain("list:large");
        big.ShouldContain("string:long");
        // What is pending and deleted is found only in a stream that is held as a whole.
        FilledServer.Differences(writer, reader)
            .ShouldAllBe(one => one.StartsWith("0 stream:", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Dump_OfEveryKey_IsTakenApartAndPutTogetherAgain()
    {
        await using var server = await FilledServer.Start("redis-server");
        using var client = FilledServer.Open(server);
        FilledServer.Fill(client);
        foreach (var key in client.Execute("KEYS", "*").Items.Select(item => item.Text))
        {
            var dump = client.Request(FilledServer.Long, "DUMP", key).Content.ToArray();
            var payload = DumpPayload.Parse(dump);
            payload.Format.ShouldBe(OfRedis7);
            var again = new RespWriter();
            DumpPayload.Write(again, payload.Type, payload.Value, 10);
            again.Written.ToArray().ShouldBe(dump);
            dump[^1] ^= 1;
            Should.Throw<RdbException>(() => DumpPayload.Parse(dump)).Message.ShouldContain("checksum");
        }
    }

    [Fact]
    public async Task UseOfKeys_AndLibraries_AreInTheFile()
    {
        await using var server = await FilledServer.Start("redis-server");
        using var client = FilledServer.Open(server);
        client.Execute("CONFIG", "SET", "maxmemory-policy", "allkeys-lfu");
        client.Execute("SET", "k", "v");
        client.Execute("FUNCTION", "LOAD", "#!lua name=lib\nredis.register_function('f', function() return 1 end)");
        var frequency = Records(Save(server, client))
            .Single(record => record.StartsWith("0 k ", StringComparison.Ordinal));
        client.Execute("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
        client.Execute("SET", "k", "v");
        var records = Records(Save(server, client));

        frequency.ShouldMatch(@"idle  frequency \d+$");
        records.ShouldContain("function #!lua name=lib\nredis.register_function('f', function() return 1 end)");
        records.ShouldContain(record => record.StartsWith("0 k String expires  idle 0", StringComparison.Ordinal));
        records.ShouldContain(record => record.StartsWith("redis-ver=", StringComparison.Ordinal));
        records[^1].ShouldBe("end True");
    }

    private static List<string> Records(byte[] file) => RdbText.Read(new MemoryStream(file));

    private static byte[] Save(RedisServerProcess server, RedisConnection client)
    {
        client.Execute("SAVE");
        return File.ReadAllBytes(Path.Combine(server.Folder, "dump.rdb"));
    }

    /// <summary>Restores every key of a file, or makes it by commands where it must or shall be.</summary>
    /// <returns>Those that were too big to be held.</returns>
    private static List<string> Copy(
        byte[] file, RedisPipeline to, RdbFormat target, bool isTyped, long bigValue = RdbReader.DefaultBigValue)
    {
        var reader = new RdbReader(new MemoryStream(file), bigValue);
        var commands = new TypedCommands(target, new() { ElementsPerCommand = 100 });
        var request = new RespWriter();
        var big = new List<string>();
        while (reader.Read() is var record && record != RdbRecord.End)
        {
            if (record != RdbRecord.Key)
                continue;
            var entry = reader.Entry;
            request.Clear();
            request.WriteRequest("SELECT", entry.Database.ToString(System.Globalization.CultureInfo.InvariantCulture));
            Send(to, request.Written);
            if (entry.IsBig)
                big.Add(Encoding.UTF8.GetString(entry.Key));
            if (!isTyped && !entry.IsBig)
            {
                request.Clear();
                request.WriteArrayHeader(5);
                request.WriteBulkString("RESTORE"u8);
                request.WriteBulkString(entry.Key);
                request.WriteBulkString(entry.ExpiresAtMs ?? 0);
                DumpPayload.WriteBulkString(
                    request, entry.Type, entry.Value, entry.Format.StampFor(target, entry.Type));
                request.WriteBulkString("ABSTTL"u8);
                if (Refusal(to, request.Written) is not { } refusal)
                    continue;
                // It does not have the type.
                refusal.ShouldBe("ERR Bad data format");
                entry.Format.ShouldNotBe(target);
            }

            commands.Write(reader, made => Send(to, made));
            if (!entry.IsBig)
                commands.Losses.ShouldBe(TypedLosses.None);
        }

        return big;
    }

    private static void Send(RedisPipeline pipeline, ReadOnlySpan<byte> request)
    {
        var shown = Encoding.Latin1.GetString(request[..Math.Min(request.Length, 100)]);
        Refusal(pipeline, request).ShouldBeNull(shown);
    }

    private static string? Refusal(RedisPipeline pipeline, ReadOnlySpan<byte> request)
    {
        pipeline.Send(request);
        RespCursor reply;
        while (!pipeline.TryTake(out reply))
            pipeline.Receive(TimestampSpan.FromNow(TimeSpan.FromSeconds(30)));
        return reply.IsError ? Encoding.UTF8.GetString(reply.Content) : null;
    }
}
