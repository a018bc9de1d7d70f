using System.Text;
using RedisLatency.Redis.Resp;
using RedisLatency.Server.Tests.Wire;

namespace RedisLatency.Server.Tests.Requests;

public class RespRequestReaderTests
{
    private const string Stream =
        "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$4\r\n\r\n\r\n\r\n"
        + "PING \"x y\" ''\r\n*0\r\n\r\n*1\r\n$0\r\n\r\n*2\r\n$4\r\nECHO\r\n$3\r\nabc\r\n";

    private static readonly string[] Expected = ["SET,a,\r\n\r\n", "PING,x y,", "", "ECHO,abc"];

    public static TheoryData<int> ChunkSizes => [.. Enumerable.Range(1, Stream.Length)];

    [Theory]
    [MemberData(nameof(ChunkSizes))]
    public void Requests_InChunksOfAnySize_AreTheSame(int size)
    {
        var reader = new RespRequestReader(64);
        ReadAll(reader, Encoding.Latin1.GetBytes(Stream).Chunk(size)).ShouldBe(Expected);
    }

    [Fact]
    public void Requests_SplitAtEveryByte_AreTheSame()
    {
        var bytes = Encoding.Latin1.GetBytes(Stream);
        for (var split = 0; split <= bytes.Length; split++)
            ReadAll(new RespRequestReader(64), [bytes[..split], bytes[split..]]).ShouldBe(Expected);
    }

    [Fact]
    public void LongWords_GrowTheBuffer()
    {
        var value = new string('v', 3_000_000);
        var request = WireClient.Request("SET", "key", value);
        ReadAll(new RespRequestReader(), request.Chunk(10_000)).ShouldBe([$"SET,key,{value}"]);
    }

    [Fact]
    public void AnnouncedButUnsentBytes_TakeNoMemory()
    {
        var reader = new RespRequestReader();
        var before = GC.GetAllocatedBytesForCurrentThread();
        ReadAll(reader, ["*2147483647\r\n$536870912\r\nx"u8.ToArray()]).ShouldBeEmpty();
        reader.ProtocolError.ShouldBeNull();
        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBeLessThan(64 * 1024);
    }

    [Theory]
    [InlineData("*1\r\n%1\r\n", "Protocol error: expected '$', got '%'")]
    [InlineData("*1a\r\n", "Protocol error: invalid multibulk length")]
    [InlineData("GET 'a\r\n", "Protocol error: unbalanced quotes in request")]
    public void BadRequest_IsRefused(string input, string error)
    {
        var reader = new RespRequestReader();
        ReadAll(reader, [Encoding.Latin1.GetBytes(input)]).ShouldBeEmpty();
        reader.ProtocolError.ShouldBe(error);
    }

    [Fact]
    public void Random_Bytes_NeverThrow()
    {
        const string alphabet = "*$\r\n0123456789-+ \"'\\xabGET\0";
        var random = new Random(17);
        for (var round = 0; round < 20_000; round++)
        {
            var bytes = new byte[random.Next(1, 60)];
            for (var index = 0; index < bytes.Length; index++)
                bytes[index] = (byte)alphabet[random.Next(alphabet.Length)];
            ReadAll(new RespRequestReader(64), bytes.Chunk(random.Next(1, 20)));
        }
    }

    private static List<string> ReadAll(RespRequestReader reader, IEnumerable<byte[]> chunks)
    {
        var requests = new List<string>();
        foreach (var chunk in chunks)
        {
            for (var rest = chunk.AsSpan(); rest.Length > 0;)
            {
                var space = reader.GetSpace();
                var count = Math.Min(space.Length, rest.Length);
                rest[..count].CopyTo(space);
                reader.Advance(count);
                rest = rest[count..];
                while (reader.TryRead())
                    requests.Add(Words(reader));
            }
        }

        return requests;
    }

    private static string Words(RespRequestReader reader) =>
        string.Join(',', Enumerable.Range(0, reader.Count).Select(index => Encoding.Latin1.GetString(reader[index])));
}
