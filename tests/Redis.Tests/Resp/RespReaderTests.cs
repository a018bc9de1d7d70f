using System.Text;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Tests.Resp;

public sealed class RespReaderTests
{
    public static TheoryData<string, string> WellFormed { get; } = new()
    {
        { "+OK\r\n", "SimpleString OK" },
        { "+\r\n", "SimpleString " },
        { "-ERR unknown\r\n", "Error ERR unknown" },
        { ":1\r\n", "Integer 1" },
        { ":0\r\n", "Integer 0" },
        { ":-1\r\n", "Integer -1" },
        { ":+5\r\n", "Integer 5" },
        { ":9223372036854775807\r\n", "Integer 9223372036854775807" },
        { ":-9223372036854775808\r\n", "Integer -9223372036854775808" },
        { "$5\r\nhello\r\n", "BulkString hello" },
        { "$4\r\na\r\nb\r\n", "BulkString a\r\nb" },
        { "$0\r\n\r\n", "BulkString " },
        { "$-1\r\n", "BulkString (null)" },
        { "*0\r\n", "Array []" },
        { "*-1\r\n", "Array (null)" },
        { "*2\r\n$1\r\na\r\n:2\r\n", "Array [a, 2]" },
        { "*2\r\n*1\r\n+a\r\n*0\r\n", "Array [[a], []]" },
        { "_\r\n", "Null (null)" },
        { "#t\r\n", "Boolean t" },
        { "#f\r\n", "Boolean f" },
        { ",1.25\r\n", "Double 1.25" },
        { ",-1e-5\r\n", "Double -1e-5" },
        { ",10\r\n", "Double 10" },
        { ",inf\r\n", "Double inf" },
        { ",-inf\r\n", "Double -inf" },
        { ",nan\r\n", "Double nan" },
        { "(3492890328409238509324850943850943825024385\r\n", "BigNumber 3492890328409238509324850943850943825024385" },
        { "!11\r\nSYNTAX oops\r\n", "BulkError SYNTAX oops" },
        { "=8\r\ntxt:Some\r\n", "VerbatimString Some" },
        { "%2\r\n+a\r\n:1\r\n+b\r\n:2\r\n", "Map [a, 1, b, 2]" },
        { "~2\r\n+a\r\n+b\r\n", "Set [a, b]" },
        { ">3\r\n$7\r\nmessage\r\n$4\r\nping\r\n$2\r\nhi\r\n", "Push [message, ping, hi]" },
        { "|1\r\n+ttl\r\n:3600\r\n$1\r\na\r\n", "BulkString a" },
        { "*2\r\n|1\r\n+ttl\r\n:1\r\n:10\r\n:20\r\n", "Array [10, 20]" },
        { "|1\r\n+a\r\n|1\r\n+b\r\n:1\r\n:2\r\n:3\r\n", "Integer 3" },
        { "|0\r\n:3\r\n", "Integer 3" },
        { "|1\r\n+a\r\n*2\r\n:1\r\n:2\r\n%1\r\n+k\r\n|1\r\n+x\r\n+y\r\n_\r\n", "Map [k, (null)]" },
    };

    public static TheoryData<string> Malformed { get; } =
    [
        "HTTP/1.1 400 Bad Request\r\n", "ERROR\r\n", "\r\n", " +OK\r\n", "\x15\x03\x03\x00\x02\x02\x46", "\0",
        "$-2\r\n", "*-2\r\n", "%-1\r\n", "~-1\r\n", ">-1\r\n", "|-1\r\n", "!-1\r\n", "=-1\r\n",
        "*2147483648\r\n", "*9223372036854775807\r\n", "$9223372036854775807\r\n", "$536870913\r\n",
        "%4611686018427387904\r\n", ":9223372036854775808\r\n", ":18446744073709551616\r\n",
        ":1e9\r\n", ":\r\n", ":-\r\n", ":+\r\n", ":++1\r\n", ":+-1\r\n", ": 1\r\n", ":1 \r\n", ":0x1\r\n", "$\r\n",
        "$5 \r\nhello\r\n", "*x\r\n",
        ":1\n", ":1\rx", "+OK\n", "+OK\rX", "$5\r\nhelloXX", "$5\r\nhello\rX", "$5\r\nhello\n", "$5\rXhello\r\n",
        ":00000000000000000000000000000000000001\r\n",
        "$?\r\n", "*?\r\n", "%?\r\n", "~?\r\n", ">?\r\n", ";4\r\nabcd\r\n", ".\r\n",
        "#x\r\n", "#\r\n", "#true\r\n", "_x\r\n", ",abc\r\n", ",\r\n", ",1.5x\r\n", ",Infinity\r\n", "(12x\r\n",
        "(\r\n", "(-\r\n", "=3\r\ntxt\r\n", "=4\r\ntxtx\r\n", "*1\r\n?\r\n",
    ];

    [Theory]
    [MemberData(nameof(WellFormed))]
    public void Reply_InAnyPieces_ReadsTheSame(string sample, string expected)
    {
        var bytes = Bytes(sample);
        foreach (var pieces in RespFeeding.Cuts(bytes.Length))
            RespFeeding.Read(bytes, pieces).ShouldBe([expected]);
    }

    [Fact]
    public void Replies_OneAfterTheOther_AllComeOut()
    {
        var samples = WellFormed.Select(row => row.Data).ToArray();
        var bytes = Bytes(string.Concat(samples.Select(sample => sample.Item1)));
        foreach (var pieces in RespFeeding.Cuts(bytes.Length))
            RespFeeding.Read(bytes, pieces).ShouldBe(samples.Select(sample => sample.Item2));
    }

    [Theory]
    [MemberData(nameof(Malformed))]
    public void Garbage_InAnyPieces_IsRefused(string sample)
    {
        var bytes = Bytes(sample);
        foreach (var pieces in RespFeeding.Cuts(bytes.Length))
            Should.Throw<RedisProtocolException>(() => RespFeeding.Read(bytes, pieces));
    }

    [Theory]
    [InlineData("HTTP/1.1 400 Bad Request\r\n", "HTTP server")]
    [InlineData("ERROR\r\n", "memcached")]
    [InlineData("\x15\x03\x03\x00\x02\x02\x46", "rediss://")]
    [InlineData("$?\r\n", "streamed")]
    [InlineData("\0\n", "\\x00\\n")]
    public void Garbage_OfAKnownKind_IsNamed(string sample, string expected) =>
        Should.Throw<RedisProtocolException>(() => RespFeeding.Read(Bytes(sample), [sample.Length]))
            .Message.ShouldContain(expected);

    [Theory]
    [InlineData("*1\r\n")]
    [InlineData("%1\r\n+k\r\n")]
    [InlineData("|1\r\n+k\r\n")]
    public void Nesting_BeyondTheLimit_IsRefused(string level)
    {
        var allowed = Bytes(string.Concat(Enumerable.Repeat("*1\r\n", 32)) + ":1\r\n");
        RespFeeding.Read(allowed, [allowed.Length]).Count.ShouldBe(1);

        var deep = Bytes(string.Concat(Enumerable.Repeat(level, 33)) + ":1\r\n");
        Should.Throw<RedisProtocolException>(() => RespFeeding.Read(deep, [deep.Length])).Message.ShouldContain("32");
    }

    [Fact]
    public void Line_WithoutAnEnd_IsRefusedAtTheLimit()
    {
        var limits = new RespLimits { MaxLineLength = 1000 };
        var bytes = Bytes("+" + new string('x', 1001));
        Should.Throw<RedisProtocolException>(() => RespFeeding.Read(bytes, [bytes.Length], limits));
    }

    [Fact]
    public void Reply_LongerThanTheLimit_IsRefused()
    {
        var limits = new RespLimits { MaxFrameLength = 10_000 };
        var bytes = Bytes("*100000\r\n" + string.Concat(Enumerable.Repeat(":1\r\n", 20_000)));
        var pieces = Enumerable.Repeat(100, bytes.Length / 100).ToArray();
        Should.Throw<RedisProtocolException>(() => RespFeeding.Read(bytes, pieces, limits));
    }

    [Theory]
    [InlineData("$536870912\r\n")]
    [InlineData("*2147483647\r\n")]
    [InlineData("%2147483647\r\n+k\r\n")]
    public void AnnouncedSize_TakesNoMemory_BeforeTheBytesCome(string header)
    {
        var reader = new RespReader();
        var before = GC.GetAllocatedBytesForCurrentThread();

        reader.Feed(Bytes(header));
        reader.TryReadValue(out _).ShouldBeFalse();
        reader.GetSpace();

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBeLessThan(4096);
    }

    [Theory]
    [InlineData("*17\r\n")]
    [InlineData("*2\r\n*8\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n*7\r\n")]
    [InlineData("|9\r\n")]
    public void MoreElementsThanTheLimit_AreRefusedBeforeTheyCome(string announced)
    {
        var bytes = Bytes(announced);

        Should.Throw<RedisProtocolException>(
            () => RespFeeding.Read(bytes, [bytes.Length], new RespLimits { MaxElements = 16 })).Message.ShouldContain("16");
    }

    [Fact]
    public void BulkLongerThanWhatIsKept_IsReadAsEmpty_HoweverItIsCut()
    {
        var limits = new RespLimits { LongestKept = 5, MaxFrameLength = 40 };
        var bytes = Bytes(">3\r\n$2\r\nme\r\n$1\r\nc\r\n$30\r\n123456789\r\n123456789\r\n12345678\r\n+OK\r\n$5\r\n12345\r\n");

        // One that is there as a whole is handed out: it took no more memory than the buffer has.
        var begin = Bytes(">3\r\n$2\r\nme\r\n$1\r\nc\r\n$30\r\n").Length;
        var end = begin + 30;
        foreach (var pieces in RespFeeding.Cuts(bytes.Length)
            .Where(pieces => pieces.Length > 2 || (pieces[0] >= begin && pieces[0] < end)))
            RespFeeding.Read(bytes, pieces, limits).ShouldBe(["Push [me, c, ]", "SimpleString OK", "BulkString 12345"]);
    }

    [Fact]
    public void BulkLongerThanWhatIsKept_TakesNoMemory()
    {
        var reader = new RespReader(limits: new RespLimits { LongestKept = 1000, MaxFrameLength = 2000 });
        const int Length = 256 << 20;
        reader.Feed(Bytes($"${Length}\r\n"));
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var left = Length; left > 0;)
        {
            var count = Math.Min(left, reader.GetSpace().Length);
            reader.Commit(count);
            reader.TryRead(out _).ShouldBeFalse();
            left -= count;
        }

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBeLessThan(64 << 10);
    }

    [Fact]
    public void LargeBulk_InSmallPieces_ComesOutWhole()
    {
        var payload = new byte[1 << 20];
        new Random(3).NextBytes(payload);
        byte[] bytes = [.. Bytes("$1048576\r\n"), .. payload, .. "\r\n"u8];
        var reader = new RespReader();
        foreach (var piece in bytes.Chunk(1447))
        {
            reader.TryRead(out _).ShouldBeFalse();
            reader.Feed(piece);
        }

        reader.TryReadValue(out var value).ShouldBeTrue();
        value.Content.SequenceEqual(payload).ShouldBeTrue();
        reader.Unread.ShouldBe(0);
    }

    [Theory]
    [InlineData(":-1\r\n", 10 << 20, 1, 1.5)]
    [InlineData("*100000\r\n", 100, 100_000, 4)]
    public void Strings_OfALongReply_TakeMemoryOnce(string before, int length, int strings, double times)
    {
        byte[] one = [.. Bytes($"${length}\r\n"), .. new byte[length], .. "\r\n"u8];
        byte[] bytes = [.. Bytes(before), .. Enumerable.Repeat(one, strings).SelectMany(bytes => bytes)];
        var reader = new RespReader();
        var allocated = GC.GetAllocatedBytesForCurrentThread();

        for (var turn = 0; turn < 3; turn++)
        {
            for (var given = 0; given < bytes.Length;)
            {
                var space = reader.GetSpace();
                var count = Math.Min(Math.Min(space.Length, 14_470), bytes.Length - given);
                bytes.AsSpan(given, count).CopyTo(space);
                reader.Commit(count);
                given += count;
                while (given < bytes.Length && reader.TryRead(out _))
                {
                }
            }

            reader.TryRead(out var reply).ShouldBeTrue();
            if (strings == 1)
                reader.MemoryOf(reply.Content).Length.ShouldBe(length);
        }

        (GC.GetAllocatedBytesForCurrentThread() - allocated).ShouldBeLessThan((long)(bytes.Length * times));
    }

    [Fact]
    public void Cursor_OverMessage_AllocatesNothing()
    {
        var reader = new RespReader();
        var bytes = Bytes(">3\r\n$7\r\nmessage\r\n$4\r\nping\r\n$2\r\nhi\r\n");
        // The runtime itself allocates a few bytes now and then (tiered compilation): never in every batch.
        var least = long.MaxValue;
        for (var batch = 0; batch < 5; batch++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            var matched = CountMessages(reader, bytes, times: 1000);
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
            matched.ShouldBe(1000);
        }

        least.ShouldBe(0);
    }

    [Fact]
    public void Value_OfAMap_IsFoundByItsKey()
    {
        var reader = new RespReader();
        reader.Feed(Bytes("%2\r\n$6\r\nserver\r\n$5\r\nredis\r\n$5\r\nproto\r\n:3\r\n"));
        reader.TryReadValue(out var map).ShouldBeTrue();

        map.Find("server")!.Text.ShouldBe("redis");
        map.Find("proto")!.Number.ShouldBe(3);
        map.Find("mode").ShouldBeNull();
    }

    private static int CountMessages(RespReader reader, byte[] bytes, int times)
    {
        var matched = 0;
        for (var i = 0; i < times; i++)
        {
            reader.Feed(bytes);
            reader.TryRead(out var reply);
            if (reply is { Type: RespType.Push, Number: 3 } && reply.MoveNext()
                && reply.Content.SequenceEqual("message"u8) && reply.MoveNext()
                && reply.Content.SequenceEqual("ping"u8) && reply.MoveNext()
                && reply.Content.SequenceEqual("hi"u8))
                matched++;
        }

        return matched;
    }

    private static byte[] Bytes(string text) => Encoding.Latin1.GetBytes(text);
}
