using System.Buffers.Binary;
using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Tests.Rdb;

/// <summary>
/// Values that are packed into a string, with each of their bits flipped: what a server refuses that looks at all of a
/// value (sanitize-dump-payload) is refused here.
/// </summary>
public sealed class SanitizedValueTests
{
    // A server reads no further than the value's end, looks at no scores, and in a stream neither at how many elements
    // a listpack announces nor at whether what stands for an id or a count is a length.
    private static readonly string[] RefusedHereAlone =
    [
        "behind the value", "which is no number", "elements, not", "begins neither a length nor a string",
        "a length is expected, and an encoded string stands there",
    ];

    private const string IdAndTime = "00000000000000000000000000000000 0000000000000000";

    private readonly TypedCommands _commands = new(RdbText.Newest);

    [Theory]
    [InlineData("redis-server")]
    [InlineData("valkey-server")]
    public async Task Value_WithAFlippedBit_IsRefused_WhereASanitizingServerRefusesIt(string program)
    {
        ServerRequirement.Require(program);
        await using var server = await RedisServerProcess.Start(program, "--sanitize-dump-payload", "yes");
        using var client = FilledServer.Open(server);
        using var pipeline = RedisPipeline.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        var (carriedOver, refusedHere, refused) = (new List<string>(), new List<string>(), 0);
        foreach (var (name, type, value) in Dumped(client).Concat(OfOlderServers()))
        {
            Refusal(type, value).ShouldBeNull(name);
            List<byte[]> flips = [value, .. Flipped(value)];
            var replies = Restore(pipeline, type, flips);
            replies[0].ShouldBe("OK", name);
            for (var i = 1; i < flips.Count; i++)
            {
                var refusal = Refusal(type, flips[i]);
                var flip = $"{name}, bit {(i - 1) % 8} of byte {(i - 1) / 8}: {refusal} | {replies[i]}";
                if (replies[i] == "OK" && refusal is not null)
                    refusedHere.Add(flip);
                else if (replies[i] != "OK" && refusal is null)
                    carriedOver.Add(flip);
                refused += replies[i] == "OK" ? 0 : 1;
            }
        }

        carriedOver.ShouldBeEmpty();
        refusedHere.Where(flip => !RefusedHereAlone.Any(flip.Contains)).ShouldBeEmpty();
        refused.ShouldBeGreaterThan(1000);
    }

    [Theory]
    [InlineData(RdbType.HashListpack, "f", "1", "f", "2")]
    [InlineData(RdbType.HashListpack, "7", "1", "07", "2", "7", "3")]
    [InlineData(RdbType.SetListpack, "a", "b", "a")]
    [InlineData(RdbType.SortedSetListpack, "a", "1", "a", "2")]
    [InlineData(RdbType.SortedSetListpack, "a", "nan")]
    [InlineData(RdbType.SortedSetListpack, "a", "x1")]
    [InlineData(RdbType.SortedSetListpack, "a", "1", "b")]
    [InlineData(RdbType.HashListpackTtlBeforeRelease, "f", "1", "9", "g", "1", "8")]
    [InlineData(RdbType.HashListpackTtlBeforeRelease, "f", "1", "0", "g", "1", "8")]
    [InlineData(RdbType.HashListpackTtlBeforeRelease, "f", "1", "-1")]
    public void Listpack_WhoseElementsContradictEachOther_IsRefused(byte type, params string[] elements) =>
        Refusal(type, String(Listpack(elements))).ShouldNotBeNull();

    [Theory]
    [InlineData(RdbType.HashListpack, "f", "1", "g", "1", "7", "1", "07", "1")]
    [InlineData(RdbType.SortedSetListpack, "a", "-inf", "b", "-1", "c", "0.1", "d", "3e-300", "e", "inf")]
    [InlineData(RdbType.HashListpackTtlBeforeRelease, "f", "1", "8", "g", "1", "8", "h", "1", "9", "i", "1", "0")]
    public void Listpack_ThatIsWhole_IsTaken(byte type, params string[] elements) =>
        Refusal(type, String(Listpack(elements))).ShouldBeNull();

    [Fact]
    public void NameThatComesAgain_IsKnown_AmongAnyNumber()
    {
        var names = new SeenNames();
        for (var round = 0; round < 2; round++)
        {
            names.Clear();
            for (var i = 0; i < 5000; i++)
                names.TryAdd(Encoding.ASCII.GetBytes($"{i}")).ShouldBeTrue();
            for (var i = 0; i < 5000; i++)
                names.TryAdd(Encoding.ASCII.GetBytes($"{i}")).ShouldBeFalse();
        }
    }

    [Fact]
    public void CheckedValue_IsReadOnFrom_WhetherItIsDamagedOrNot()
    {
        byte[] whole = [RdbType.SetIntset, 1, (byte)'a', 12, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 2, 0];
        byte[] damaged = [RdbType.SetIntset, 1, (byte)'b', 12, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 0];
        byte[] file = [.. "REDIS0010"u8, .. whole, .. damaged, .. whole, 0xff, .. new byte[8]];
        var reader = new RdbReader(new MemoryStream(file), capacity: 16);

        reader.Read().ShouldBe(RdbRecord.Key);
        reader.CheckValue();
        reader.Entry.Value.ToArray().ShouldBe(whole[3..]);
        reader.Read().ShouldBe(RdbRecord.Key);
        Should.Throw<RdbException>(reader.CheckValue).Key.ShouldBe("\"b\"");
        reader.Read().ShouldBe(RdbRecord.Key);
        reader.CheckValue();
        reader.Entry.Value.ToArray().ShouldBe(whole[3..]);
        reader.Read().ShouldBe(RdbRecord.End);
    }

    [Theory]
    [InlineData(RdbType.Quicklist2, "01 03 01 78")]
    [InlineData(RdbType.SortedSet2, "01 01 6d 00000000 0000f8 7f")]
    [InlineData(RdbType.SortedSet, "02 01 6d 01 78 01 6e fd")]
    [InlineData(RdbType.Stream, "01 01 78 01 79 00 00 00 00")]
    [InlineData(RdbType.Stream, "00 01 00 00 00")]
    [InlineData(RdbType.Stream, "00 00 00 00 02 01 67 00 00 00 00 01 67 00 00 00 00")]
    [InlineData(RdbType.Stream, "00 00 00 00 01 01 67 00 00 01 " + IdAndTime + "01 00")]
    public void ValueThatIsDamagedWithin_IsPassedOver(byte type, string value)
    {
        byte[] file = [.. "REDIS0010"u8, type, 1, (byte)'a',
            .. Convert.FromHexString(value.Replace(" ", "", StringComparison.Ordinal)), 0, 1, (byte)'b', 0, 0xff,
            .. new byte[8]];
        var reader = new RdbReader(new MemoryStream(file), capacity: 16);

        reader.Read().ShouldBe(RdbRecord.Key);
        Should.Throw<RdbException>(reader.CheckValue);
        reader.Read().ShouldBe(RdbRecord.Key);
        reader.Entry.Key.ToArray().ShouldBe("b"u8.ToArray());
        reader.Read().ShouldBe(RdbRecord.End);
    }

    [Theory]
    [InlineData("REDIS0010", "", true)]
    [InlineData("REDIS0010", "0102030405060708", false)]
    [InlineData("REDIS0010", "0000000000000000", false)]
    [InlineData("REDIS0004", "", false)]
    [InlineData("VALKEY080", "", true)]
    [InlineData("REDIS0010", "01", false)]
    public void Checksum_IsComparedBeforeTheFileIsRead(string header, string end, bool isRight)
    {
        // Longer than a piece that is read at once.
        byte[] content = [.. Encoding.ASCII.GetBytes(header), .. new byte[300_000]];
        var last = new byte[sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(last, Crc64.Append(0, content));
        using var file = new MemoryStream([.. content, .. end.Length > 0 ? Convert.FromHexString(end) : last]);

        RdbReader.HasRightChecksum(file, TestContext.Current.CancellationToken).ShouldBe(isRight);
        file.Position.ShouldBe(0);
    }

    [Fact]
    public void DamagedDump_ThatIsCheckedFirst_MakesNoCommands()
    {
        var payload = Payload(RdbType.SetIntset, [12, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 1, 0]);
        var made = 0;

        var commands = new TypedCommands(RdbText.Newest, new() { Replaces = true, ChecksFirst = true });
        Should.Throw<RdbException>(() => commands.Write("k"u8, DumpPayload.Parse(payload), null, _ => made++));

        made.ShouldBe(0);
    }

    private string? Refusal(byte type, byte[] value)
    {
        try
        {
            var made = _commands.Write("k"u8, DumpPayload.Parse(Payload(type, value)), null, static _ => { });
            // Empty ones are refused by RESTORE, left out from a file by a server, and so here.
            return made > 0 ? null : "empty";
        }
        catch (RdbException problem)
        {
            return problem.Message;
        }
    }

    private static IEnumerable<byte[]> Flipped(byte[] value)
    {
        for (var bit = 0; bit < 8 * value.Length; bit++)
        {
            var flipped = value.ToArray();
            flipped[bit / 8] ^= (byte)(1 << (bit % 8));
            yield return flipped;
        }
    }

    private static List<string> Restore(RedisPipeline server, byte type, List<byte[]> values)
    {
        var request = new RespWriter();
        foreach (var value in values)
        {
            request.WriteArrayHeader(5);
            request.WriteBulkString("RESTORE"u8);
            request.WriteBulkString("restored"u8);
            request.WriteBulkString(0);
            request.WriteBulkString(Payload(type, value));
            request.WriteBulkString("REPLACE"u8);
            server.Send(request.Written);
            request.Clear();
        }

        var replies = new List<string>();
        while (replies.Count < values.Count)
        {
            while (server.TryTake(out var reply))
                replies.Add(Encoding.UTF8.GetString(reply.Content));
            if (replies.Count < values.Count)
                server.Receive(TimestampSpan.FromNow(TimeSpan.FromSeconds(30)));
        }

        return replies;
    }

    private static byte[] Payload(byte type, byte[] value)
    {
        var writer = new RespWriter();
        DumpPayload.Write(writer, type, value, 10);
        return writer.Written.ToArray();
    }

    private static List<(string Name, byte Type, byte[] Value)> Dumped(RedisConnection client)
    {
        client.Execute("HSET", "hash", "a", "1", "b", "-300", "c", "70000", "d", "5000000000", "e", "text", "f", "");
        client.Execute("HSET", "hash:long", "f", string.Concat(Enumerable.Range(0, 50).Select(i => $"{i * 7919}")));
        client.Execute(["HSET", "hash:compressed",
            .. Enumerable.Range(0, 12).SelectMany(i => (string[])[$"field{i}", "valuevalue"])]);
        client.Execute("RPUSH", "list", "a", "1", "-300", "9000000000", "two", new string('x', 200));
        client.Execute("SADD", "intset:16", "-1", "2", "300");
        client.Execute("SADD", "intset:32", "1", "70000");
        client.Execute("SADD", "intset:64", "5", "99999999999");
        client.Execute("SADD", "set", "a", "bb", "12");
        client.Execute("ZADD", "zset", "-inf", "a", "1", "b", "2.5", "3", "1e300", "d");
        client.Execute("XADD", "stream", "1-1", "a", "1", "b", "2");
        client.Execute("XADD", "stream", "1-2", "a", "3", "b", "4");
        client.Execute("XADD", "stream", "2-0", "other", "z");
        client.Execute("XDEL", "stream", "1-2");
        client.Execute("XGROUP", "CREATE", "stream", "g", "0");
        client.Execute("XGROUP", "CREATE", "stream", "h", "0");
        client.Execute("XREADGROUP", "GROUP", "g", "c", "STREAMS", "stream", ">");
        client.Execute("XGROUP", "CREATECONSUMER", "stream", "g", "d");
        return [.. client.Execute("KEYS", "*").Items.Select(key => key.Text).Order(StringComparer.Ordinal)
            .Select(key => (key, client.Request(FilledServer.Long, "DUMP", key).Content.ToArray()))
            // A set without a packing is in Redis 7.0 a table.
            .Where(dump => dump.Item2[0] != RdbType.Set)
            .Select(dump => (dump.key, dump.Item2[0], dump.Item2[1..^10]))];
    }

    private static IEnumerable<(string Name, byte Type, byte[] Value)> OfOlderServers()
    {
        var hash = Ziplist("a", "1", "b", "-300", "c", "text", "d", "12", new string('x', 63), "e");
        yield return ("ziplist as hash", RdbType.HashZiplist, String(hash));
        yield return ("ziplist as zset", RdbType.SortedSetZiplist, String(Ziplist("a", "1", "b", "2.5")));
        yield return ("ziplist as list", RdbType.ListZiplist, String(Ziplist("a", "a", "3")));
        yield return ("quicklist of ziplists", RdbType.Quicklist,
            [2, .. String(Ziplist("a", "3")), .. String(Ziplist("b"))]);
        yield return ("zipmap", RdbType.HashZipmap,
            String([2, 1, (byte)'a', 2, 1, (byte)'v', (byte)'w', 0, 1, (byte)'b', 0, 0, 0xff]));
    }

    private static byte[] String(byte[] bytes) => [(byte)(0x40 | (bytes.Length >> 8)), (byte)bytes.Length, .. bytes];

    private static byte[] Ziplist(params string[] elements)
    {
        var (entries, last) = (new List<byte>(), 0);
        foreach (var element in elements)
        {
            var start = entries.Count;
            entries.Add((byte)(start - last));
            if (sbyte.TryParse(element, out var number))
                entries.AddRange([0xfe, (byte)number]);
            else
                entries.AddRange([(byte)element.Length, .. Encoding.ASCII.GetBytes(element)]);
            last = start;
        }

        var bytes = (byte[])[.. new byte[10], .. entries, 0xff];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, bytes.Length);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(4), 10 + last);
        BinaryPrimitives.WriteInt16LittleEndian(bytes.AsSpan(8), (short)elements.Length);
        return bytes;
    }

    private static byte[] Listpack(string[] elements)
    {
        var entries = elements.SelectMany(element =>
            (byte[])[(byte)(0x80 | element.Length), .. Encoding.ASCII.GetBytes(element), (byte)(1 + element.Length)]);
        var bytes = (byte[])[.. new byte[6], .. entries, 0xff];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, bytes.Length);
        BinaryPrimitives.WriteInt16LittleEndian(bytes.AsSpan(4), (short)elements.Length);
        return bytes;
    }
}
