using System.Buffers.Binary;
using RedisLatency.Redis.Rdb;

namespace RedisLatency.Redis.Tests.Rdb;

/// <summary>Values and records of servers that are newer than those at hand.</summary>
public sealed class NewerValueTests
{
    private static readonly byte[] Stream =
    [
        1, 16, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,
        29, 29, 0, 0, 0, 10, 0, 1, 1, 0, 1, 1, 1, 0x81, (byte)'f', 2, 0, 1,
        2, 1, 0, 1, 0, 1, 0x81, (byte)'v', 2, 4, 1, 0xff,
        1, 1, 0, 1, 0, 0, 0, 1,
    ];

    [Fact]
    public void HashesWithTimes_OfBothFamilies_BecomeTheSameCommands()
    {
        byte[] expected = [1, (byte)'f', 1, (byte)'v'];
        var valkey = Value("VALKEY080", 22, [1, .. expected, .. Time(1_700_000_000_000)]);
        var redis = Value("REDIS0012", 24, [.. Time(1_700_000_000_000), 1, 1, .. expected]);
        var candidate = Value("REDIS0012", 22, [1, 0x81, .. Time(1_700_000_000_000).Reverse(), .. expected]);

        valkey.ShouldBe(["HSET k f v", "HPEXPIREAT k 1700000000000 FIELDS 1 f"]);
        redis.ShouldBe(valkey);
        candidate.ShouldBe(valkey);
    }

    [Fact]
    public void TimesOfFields_AreLeftOut_ForTargetsWithoutThem_AndSaid()
    {
        var commands = new TypedCommands(new(false, 10));

        Value("REDIS0012", 24, [.. Time(1_700_000_000_000), 1, 1, 1, (byte)'f', 1, (byte)'v'], commands)
            .ShouldBe(["HSET k f v"]);
        commands.Losses.ShouldBe(TypedLosses.FieldExpiry);
    }

    [Fact]
    public void StreamsOf8_6And8_8_AreRead_AndWhatNoCommandMakesIsSaid()
    {
        var commands = new TypedCommands(RdbText.Newest);
        byte[] producers = [10, 20, 1, 1, (byte)'p', 1, 1, (byte)'i', 1, 0, 1, 0];
        byte[] id = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0];
        byte[] group = [1, 1, (byte)'g', 1, 0, 1, 1, .. id, .. Time(5), 3, 0, 1, .. id];

        Value("REDIS0013", 26, [.. Stream, 0, .. producers], commands)
            .ShouldBe(["XADD k 1-0 f v", "XSETID k 1-0 ENTRIESADDED 1 MAXDELETEDID 0-0"]);
        commands.Losses.ShouldBe(TypedLosses.ProducerIds);
        Value("REDIS0014", 27, [.. Stream, .. group, .. producers], commands)
            .ShouldBe(["XADD k 1-0 f v", "XGROUP CREATE k g 1-0 ENTRIESREAD 1",
                "XSETID k 1-0 ENTRIESADDED 1 MAXDELETEDID 0-0"]);
        commands.Losses.ShouldBe(TypedLosses.ProducerIds | TypedLosses.UnownedPending);
    }

    [Fact]
    public void StreamThatIsTooLongToBeHeld_MayLoseDeletedEntries_OnlyWhereSomeArePending()
    {
        var commands = new TypedCommands(RdbText.Newest);
        byte[] id = [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0];
        byte[] group = [1, 1, (byte)'g', 1, 0, 1, 1, .. id, .. Time(5), 1, 1, 1, (byte)'c', .. Time(5), 1, .. id];

        RdbText.Commands(Read("REDIS0010", [19, 1, (byte)'k', .. Stream, 0], bigValue: 8), commands)
            .Count.ShouldBe(2);
        commands.Losses.ShouldBe(TypedLosses.None);
        RdbText.Commands(Read("REDIS0010", [19, 1, (byte)'k', .. Stream, .. group], bigValue: 8), commands)
            .Count.ShouldBe(4);
        commands.Losses.ShouldBe(TypedLosses.DeletedPending);
        commands.Losses.InWords().ShouldBe(
            "pending entries of a stream's groups that may have been deleted from it");
    }

    [Fact]
    public void Losses_AreAllSaidInPlainWords()
    {
        var losses = Enum.GetValues<TypedLosses>();

        losses.Select(loss => loss.InWords()).Distinct().Count().ShouldBe(losses.Length);
        (TypedLosses.FieldExpiry | TypedLosses.ProducerIds).InWords()
            .ShouldBe("times to live of a hash's fields, ids of a stream's producers");
    }

    [Fact]
    public void ArraysOf8_8_AreRead_WithTheirIndexesAndWhereTheLastWasInserted()
    {
        byte[] text = [3, (byte)'a', (byte)' ', (byte)'b'];
        byte[] elements =
            [0, 1, .. Time(-7), 5, 2, .. Time(BitConverter.DoubleToInt64Bits(1.5)), 6, 3, .. text, 0x41, 0, 0, .. text];

        Value("REDIS0014", 28, [4, 0, .. elements]).ShouldBe(["ARMSET k 0 -7 5 1.5 6 a b 256 a b"]);
        Value("REDIS0014", 28, [4, 1, 0x41, 0, .. elements])
            .ShouldBe(["ARMSET k 0 -7 5 1.5 6 a b 256 a b", "ARSEEK k 257"]);
        Should.Throw<RdbException>(() => Value("REDIS0014", 28, [1, 2, 0, 0, .. text]));
        Should.Throw<RdbException>(() => Value("REDIS0014", 28, [1, 0, 0, 4, .. text]));
    }

    [Fact]
    public void Opcode243_MeansWhatTheFilesFamilySays()
    {
        byte[] key = [0, 1, (byte)'k', 1, (byte)'v'];
        var import = Read("VALKEY080", [243, 3, .. "job"u8, 1, 5, 9, .. key]);
        var metadata = Read("REDIS0013", [243, 1, 1, 2, 3, 4, 2, 7, 0, .. key]);

        import.Entry.HasModuleMetadata.ShouldBeFalse();
        metadata.Entry.HasModuleMetadata.ShouldBeTrue();
        Text(import).ShouldBe(["SET k v"]);
        Text(metadata).ShouldBe(["SET k v"]);
    }

    [Theory]
    [InlineData("REDIS0014", 29)]
    [InlineData("VALKEY081", 28)]
    [InlineData("VALKEY081", 23)]
    [InlineData("REDIS0012", 6)]
    [InlineData("REDIS0012", 242)]
    [InlineData("REDIS0012", 246)]
    [InlineData("VALKEY080", 24)]
    public void TypeOrRecord_ThatIsNotKnown_IsNeverGuessed(string header, byte type) =>
        Should.Throw<RdbException>(() => Value(header, type, [1, 1, 1, 1, 1, 1]));

    [Fact]
    public void PassedOverRecords_LeaveTheKeysAsTheyAre()
    {
        byte[] key = [0, 1, (byte)'k', 1, (byte)'v'];
        byte[] module = [247, 0x81, 1, 2, 3, 4, 5, 6, 7, 8, 2, 1, 5, 1, (byte)'x', 3, 0, 0, 0, 0, 0];

        var reader = Read("REDIS0012", [.. module, 244, 1, 2, 3, 251, 1, 0, 253, 1, 0, 0, 0, 249, 7, .. key]);

        reader.Entry.Frequency.ShouldBe((byte)7);
        Text(reader).ShouldBe(["SET k v", "PEXPIREAT k 1000"]);
        reader.SkippedModuleRecords.ShouldBe(1);
    }

    private static byte[] Time(long time)
    {
        var bytes = new byte[8];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, time);
        return bytes;
    }

    private static List<string> Value(string header, byte type, byte[] value, TypedCommands? commands = null) =>
        Text(Read(header, [type, 1, (byte)'k', .. value]), commands);

    private static RdbReader Read(string header, byte[] content, long bigValue = RdbReader.DefaultBigValue)
    {
        var file = (byte[])[.. System.Text.Encoding.ASCII.GetBytes(header), .. content, 0xff, .. new byte[8]];
        var reader = new RdbReader(new MemoryStream(file), bigValue, capacity: 16);
        reader.Read().ShouldBe(RdbRecord.Key);
        return reader;
    }

    private static List<string> Text(RdbReader reader, TypedCommands? commands = null)
    {
        List<string> text = [.. RdbText.Commands(reader, commands).Select(words => string.Join(' ', words))];
        reader.Read().ShouldBe(RdbRecord.End);
        return text;
    }
}
