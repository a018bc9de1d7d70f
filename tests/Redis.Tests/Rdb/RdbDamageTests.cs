using RedisLatency.Redis.Rdb;

namespace RedisLatency.Redis.Tests.Rdb;

/// <summary>Files in pieces, damaged and forged.</summary>
public sealed class RdbDamageTests
{
    private const int MostWhole = 200;

    private readonly TypedCommands _commands = new(RdbText.Newest);

    public static TheoryData<string> Names => [.. RdbSamples.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void File_ReadsTheSame_HoweverItComes(string name)
    {
        var bytes = RdbSamples.Bytes(name);
        var whole = RdbText.Read(new MemoryStream(bytes));

        ShouldBeTheSame(RdbText.Read(new TricklingStream(bytes, () => 1), capacity: 16));
        var random = new Random(1);
        ShouldBeTheSame(RdbText.Read(new TricklingStream(bytes, () => random.Next(1, 50)), bigValue: 64, capacity: 16));
        for (var cut = 1; cut < Math.Min(bytes.Length, MostWhole); cut++)
        {
            var sizes = new Queue<int>([cut]);
            var pieces = new TricklingStream(bytes, () => sizes.TryDequeue(out var size) ? size : bytes.Length);
            ShouldBeTheSame(RdbText.Read(pieces));
        }

        // Shouldly takes longer to compare some thousand lines than they take to be read.
        void ShouldBeTheSame(List<string> read)
        {
            if (!read.SequenceEqual(whole))
                read.ShouldBe(whole);
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void File_ThatEndsEarly_SaysSo(string name)
    {
        var bytes = RdbSamples.Bytes(name);
        for (var length = 0; length < Math.Min(bytes.Length, MostWhole); length++)
            Should.Throw<RdbException>(() => RdbText.Read(new MemoryStream(bytes[..length]))).Offset.ShouldBe(length);
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void DamagedFile_GivesItsContentOrAnRdbException_InBoundedMemory(string name)
    {
        var bytes = RdbSamples.Bytes(name);
        var random = new Random(7);
        var rounds = bytes.Length > 4000 ? 5 : 100;
        for (var round = 0; round < rounds; round++)
        {
            var damaged = Damage(random, [.. bytes]);
            var before = GC.GetAllocatedBytesForCurrentThread();
            try
            {
                ReadAll(damaged, random.Next(2) == 0 ? 64 : RdbReader.DefaultBigValue);
            }
            catch (RdbException problem)
            {
                problem.Offset.ShouldBeInRange(0, damaged.Length);
            }

            var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            allocated.ShouldBeLessThan((2 << 20) + (300L * damaged.Length));
        }
    }

    [Theory]
    [InlineData("0000 01 6b 81 7f ff ff ff ff ff ff ff", "a string of 2^63 bytes")]
    [InlineData("0000 01 6b 80 7f ff ff ff", "a string of 2 GiB")]
    [InlineData("0000 01 6b c3 05 80 7f ff ff ff 00 61 00 61", "five bytes that hold 2 GiB")]
    [InlineData("0000 01 6b c3 81 7f ff ff ff ff ff ff ff 01", "2^63 compressed bytes")]
    [InlineData("0000 81 ff ff ff ff ff ff ff ff", "a key of 2^64 bytes")]
    [InlineData("0001 01 6b 81 ff ff ff ff ff ff ff ff", "a list of 2^64 items")]
    [InlineData("0004 01 6b 81 ff ff ff ff ff ff ff ff 01 61", "a hash of 2^64 fields")]
    [InlineData("0005 01 6b 80 ff ff ff ff 01 61", "a sorted set of 2^32 members")]
    [InlineData("0012 01 6b 80 ff ff ff ff 02", "a quicklist of 2^32 nodes")]
    [InlineData("000f 01 6b 00 00 00 00 01 01 67 00 00 80 ff ff ff ff", "a group with 2^32 pending")]
    [InlineData("00fe 81 ff ff ff ff ff ff ff ff", "database 2^64")]
    public void ForgedLength_TakesNoMemory(string hex, string what)
    {
        var bytes = (byte[])[.. "REDIS0010"u8, .. Convert.FromHexString(hex.Replace(" ", "")[2..])];
        var before = GC.GetAllocatedBytesForCurrentThread();

        Should.Throw<RdbException>(() => ReadAll(bytes, RdbReader.DefaultBigValue), what);

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBeLessThan(2 << 20);
    }

    // A few bytes that hold 88 times as many, as LZF allows.
    [Fact]
    public void LongAuxiliaryTexts_ArePassedOver_AndTakeNoMemory()
    {
        var text = Compressed(32 << 20);
        var bytes = (byte[])[.. "REDIS0010"u8, 0xfa, .. text, .. text, 0xfa, 1, (byte)'a', .. text, 0, 1, (byte)'k', 0,
            0xff, .. new byte[8]];
        var before = GC.GetAllocatedBytesForCurrentThread();

        RdbText.Read(new MemoryStream(bytes)).Count.ShouldBe(3);

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBeLessThan(2 << 20);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public void Text_LongerThanIsHeld_IsRefused_BeforeItIsThere(byte type)
    {
        var text = Compressed((int)RdbReader.DefaultBigValue + 1);
        var content = (byte[])(type == 0 ? text : [1, (byte)'k', 1, .. text]);
        var bytes = (byte[])[.. "REDIS0010"u8, type, .. content, 0xff, .. new byte[8]];
        var before = GC.GetAllocatedBytesForCurrentThread();

        Should.Throw<RdbException>(() => ReadAll(bytes, RdbReader.DefaultBigValue))
            .Message.ShouldContain($"a text of {RdbReader.DefaultBigValue + 1} bytes");

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBeLessThan((2 << 20) + (4L * bytes.Length));
    }

    [Theory]
    [InlineData("REDIS0015", "REDIS0014")]
    [InlineData("REDIS0000", "REDIS0015")]
    [InlineData("VALKEY082", "VALKEY081")]
    [InlineData("VALKEY011", "VALKEY081")]
    [InlineData("*2\r\n$6\r\nS", "begins with REDIS or VALKEY")]
    public void File_OfAnotherKind_IsRefused(string header, string said)
    {
        var problem = Should.Throw<RdbException>(() =>
            RdbText.Read(new MemoryStream([.. System.Text.Encoding.ASCII.GetBytes(header), 0xff])));

        problem.Message.ShouldContain(said == "REDIS0015" ? "REDIS0001" : said);
        problem.Offset.ShouldBe(0);
    }

    [Fact]
    public void Damage_NamesTheKey_AndWhereItLies()
    {
        var bytes = (byte[])[.. "REDIS0010"u8, 16, 3, .. "abc"u8, 7, 7, 0, 0, 0, 9, 0, 0xff, 0xff];

        var problem = Should.Throw<RdbException>(() => RdbText.Read(new MemoryStream(bytes)));

        problem.Key.ShouldBe("\"abc\"");
        problem.Offset.ShouldBe(22);
        problem.Message.ShouldBe("offset 22, key \"abc\": a listpack of 7 bytes has 0 elements, not 9");
    }

    [Fact]
    public void Checksum_ThatIsWrong_IsFound_AndThatOfZeroIsNone()
    {
        var bytes = (byte[])[.. "REDIS0010"u8, 0, 1, (byte)'k', 1, (byte)'v', 0xff, 1, 2, 3, 4, 5, 6, 7, 8];
        Should.Throw<RdbException>(() => RdbText.Read(new MemoryStream(bytes))).Message.ShouldContain("checksum");

        bytes.AsSpan(^8..).Clear();
        RdbText.Read(new MemoryStream(bytes))[^1].ShouldBe("end False");
    }

    // One letter, repeated by runs of 264 bytes, and literals at the end.
    private static byte[] Compressed(int plain)
    {
        List<byte> bytes = [0, (byte)'a'];
        for (var i = 0; i < (plain - 1) / 264; i++)
            bytes.AddRange([0xe0, 0xff, 0]);
        for (var i = 0; i < (plain - 1) % 264; i++)
            bytes.AddRange([0, (byte)'a']);
        var lengths = new byte[10];
        lengths[0] = lengths[5] = 0x80;
        System.Buffers.Binary.BinaryPrimitives.WriteInt32BigEndian(lengths.AsSpan(1), bytes.Count);
        System.Buffers.Binary.BinaryPrimitives.WriteInt32BigEndian(lengths.AsSpan(6), plain);
        return [0xc3, .. lengths, .. bytes];
    }

    private void ReadAll(byte[] bytes, long bigValue)
    {
        var reader = new RdbReader(new MemoryStream(bytes), bigValue, capacity: 4096);
        while (reader.Read() is var record && record != RdbRecord.End)
        {
            if (record == RdbRecord.Key && reader.Entry.Kind != RdbKind.Module)
                _commands.Write(reader, static _ => { });
        }
    }

    private static byte[] Damage(Random random, List<byte> bytes)
    {
        for (var i = random.Next(1, 4); i > 0; i--)
        {
            // Behind the header, which would turn the file away at once.
            var at = random.Next(9, bytes.Count);
            switch (random.Next(4))
            {
                case 0:
                    bytes[at] = (byte)random.Next(256);
                    break;
                case 1:
                    bytes[at] ^= (byte)(1 << random.Next(8));
                    break;
                case 2:
                    bytes.Insert(at, random.Next(2) == 0 ? (byte)0xff : (byte)random.Next(256));
                    break;
                default:
                    if (bytes.Count > 10)
                        bytes.RemoveAt(at);
                    break;
            }
        }

        return [.. bytes];
    }
}
