using System.Text;
using RedisLatency.Redis.Rdb;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Tests.Rdb;

/// <summary>What redis-server 7.0.15 answered to DUMP, and payloads that nobody should accept.</summary>
public sealed class DumpPayloadTests
{
    private const int LongLength = 200;

    public static TheoryData<string, string> Dumps => new()
    {
        { "000568656c6c6f0a006372df766534200a", "SET k hello" },
        { "00c00c0a003c2af8515c04bcd5", "SET k 12" },
        { "00c139300a009d94ea2793fc08b9", "SET k 12345" },
        { "00c215cd5b070a00a4b7c909e0e9379e", "SET k 123456789" },
        { "00c30940c8016161e0bb000161610a001f99f72e01b20de3", $"SET k {new string('a', LongLength)}" },
        { "0202016201610a0075d99d835ef85f65", "SADD k b a" },
    };

    [Theory]
    [MemberData(nameof(Dumps))]
    public void Dump_OfRedis_IsTakenApart_AndMadeAgain(string hex, string command)
    {
        var bytes = Convert.FromHexString(hex);
        var payload = DumpPayload.Parse(bytes);
        var requests = new MemoryStream();

        new TypedCommands(RdbText.Newest)
            .Write("k"u8, payload, expiresAtMs: null, request => requests.Write(request)).ShouldBe(1);

        string.Join(' ', RdbText.Words(requests.ToArray()).Single()).ShouldBe(command);
        var writer = new RespWriter();
        DumpPayload.WriteBulkString(writer, payload.Type, payload.Value, payload.Format.Version);
        writer.Written.ToArray().ShouldBe(
            [.. Encoding.ASCII.GetBytes($"${bytes.Length}\r\n"), .. bytes, (byte)'\r', (byte)'\n']);
    }

    [Fact]
    public void Checksum_OfTheKnownText_IsThatOfRedis() =>
        Crc64.Append(0, "123456789"u8).ShouldBe(0xe9c6d914c4b8d9caul);

    [Fact]
    public void Checksum_InAnyPieces_IsThatOfTheWhole()
    {
        var bytes = new byte[1000];
        new Random(5).NextBytes(bytes);
        var whole = Crc64.Append(0, bytes);
        for (var cut = 0; cut < bytes.Length; cut++)
        {
            Crc64.Append(Crc64.Append(0, bytes.AsSpan(0, cut)), bytes.AsSpan(cut)).ShouldBe(whole);
            Crc64.Append(7, bytes.AsSpan(0, cut)).ShouldBe(Crc64.AppendTables(7, bytes.AsSpan(0, cut)));
        }
    }

    [Fact]
    public void DamagedDump_IsRefused()
    {
        var bytes = Convert.FromHexString("0202016201610a0075d99d835ef85f65");
        for (var i = 0; i < bytes.Length; i++)
        {
            var damaged = bytes.ToArray();
            damaged[i] ^= 4;
            Should.Throw<RdbException>(() => DumpPayload.Parse(damaged));
            Should.Throw<RdbException>(() => DumpPayload.Parse(bytes.AsSpan(0, i)));
        }
    }

    [Fact]
    public void Dump_WithMoreThanItsValue_IsRefused()
    {
        var writer = new RespWriter();
        DumpPayload.Write(writer, 0, [1, (byte)'v', 0], version: 10);

        Should.Throw<RdbException>(() => new TypedCommands(RdbText.Newest)
            .Write("k"u8, DumpPayload.Parse(writer.Written), null, static _ => { }))
            .Message.ShouldContain("behind the value");
    }

    [Fact]
    public void ModulesValue_CannotBeTakenApart_AndIsNamed()
    {
        // The number of a module is nine letters of six bits and its version.
        const string Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
        var id = "ReJSON-RL".Aggregate(0ul, (sum, letter) => (sum << 6) | (uint)Letters.IndexOf(letter)) << 10 | 3;
        byte[] value = [0x81, .. BitConverter.GetBytes(id).Reverse(), 2, 7, 5, 1, (byte)'x', 0];
        var file = (byte[])[.. "REDIS0011"u8, 7, 1, (byte)'k', .. value, 0xff, 0, 0, 0, 0, 0, 0, 0, 0];
        var reader = new RdbReader(new MemoryStream(file), bigValue: 1);

        reader.Read().ShouldBe(RdbRecord.Key);

        reader.Entry.Kind.ShouldBe(RdbKind.Module);
        reader.Entry.IsBig.ShouldBeFalse();
        reader.Entry.Value.ToArray().ShouldBe(value);
        Should.Throw<RdbException>(() => new TypedCommands(RdbText.Newest).Write(reader, static _ => { }))
            .Message.ShouldContain("ReJSON-RL");
    }

    [Theory]
    [InlineData(4, 12, 10, 10)]
    [InlineData(4, 9, 12, 9)]
    [InlineData(4, 12, 80, 11)]
    [InlineData(4, 11, 80, 11)]
    [InlineData(22, 80, 80, 80)]
    [InlineData(22, 81, 80, 80)]
    [InlineData(24, 12, 11, 11)]
    [InlineData(21, 80, 12, 12)]
    public void Stamp_IsOneThatTheTargetAccepts(byte type, int source, int target, int stamp) =>
        RdbFormat.Of(source).StampFor(RdbFormat.Of(target), type).ShouldBe(stamp);

    [Theory]
    [InlineData(22, 80, 10)]
    [InlineData(22, 80, 12)]
    [InlineData(22, 12, 80)]
    [InlineData(25, 12, 81)]
    public void Stamp_OfATypeThatMeansAnotherThingThere_StaysTheSources(byte type, int source, int target) =>
        RdbFormat.Of(source).StampFor(RdbFormat.Of(target), type).ShouldBe(source);
}
