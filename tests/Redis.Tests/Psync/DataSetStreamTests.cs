using System.Net.Sockets;
using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Psync;

namespace RedisLatency.Redis.Tests.Psync;

/// <summary>How a source may send its data set, as redis-server 7.0.15 was seen to, and how it should not.</summary>
public sealed class DataSetStreamTests
{
    private const string Id = "5ceee35a8841f3e0ab36ab3e9a8c39b3a0e83bbe";
    private const string Mark = "e9626b1b8d526d0581c4a339cb4ba39b85c8b0c4";
    private const string Answer = $"\n\n+FULLRESYNC {Id} 2405\r\n\n\n";
    private const string Command = "*3\r\n$3\r\nset\r\n$1\r\na\r\n$1\r\n1\r\n";

    private static readonly string Data =
        $"REDIS0010\xfa\u0009redis-ver\u00067.0.15\xfe\0\0\u0001k\u0001v\xff{new string('\0', 8)}";

    [Theory]
    [InlineData(true, 1)]
    [InlineData(false, 1)]
    [InlineData(true, 7)]
    [InlineData(false, 100_000)]
    public void DataSet_AndStream_AreToldApart_HoweverTheyCome(bool isSized, int piece)
    {
        var content = isSized ? $"${Data.Length}\r\n{Data}" : $"$EOF:{Mark}\r\n{Data}{Mark}";
        using var source = Source(content + Command, piece);
        using var replica = new Replica(source.Uri);

        replica.ReadDataSet().ReadUntil("set a 1");

        replica.Link.Start.ShouldBe(new ReplicationStart(IsFull: true, new(Id, 2405)));
        replica.DataSet.ShouldBe(["SET k v"]);
        replica.WasSized.ShouldBe(isSized);
        replica.Offset.ShouldBe(2405 + Command.Length);
    }

    [Fact]
    public void DataSet_ThatEndsElsewhere_IsAnError()
    {
        using var longer = Source($"${Data.Length + 5}\r\n{Data}12345", 100);
        using var other = Source($"$EOF:{Mark}\r\n{Data}{Mark[1..]}x{Command}", 100);
        using var none = Source("*1\r\n$4\r\nPING\r\n", 100);
        using var refused = Source("-ERR out of memory\r\n", 100);

        Read<RedisProtocolException>(longer).ShouldContain("announced");
        Read<RedisProtocolException>(other).ShouldContain("not the mark");
        Read<RedisProtocolException>(none).ShouldContain("a data set was to come");
        Read<RedisServerException>(refused).ShouldBe("ERR out of memory");
    }

    [Theory]
    [InlineData("+FULLRESYNC short 1\r\n")]
    [InlineData("+CONTINUE\r\n")]
    [InlineData("$5\r\nREDIS")]
    public void Answer_ThatIsNone_IsAProtocolError(string answer)
    {
        using var source = FakeServer.Start((client, _) => Play(client, answer, 100));

        Should.Throw<RedisProtocolException>(() => new Replica(source.Uri))
            .Message.ShouldContain("answered PSYNC with");
    }

    [Fact]
    public void SilentSource_IsGivenUp()
    {
        using var source = Source("", 1);
        using var replica = new Replica(source.Uri, options: new() { SilenceLimit = TimeSpan.FromMilliseconds(50) });

        Should.Throw<RedisTimeoutException>(() => replica.ReadDataSet()).Message.ShouldContain("has sent nothing");
    }

    [Fact]
    public void Spool_WithoutAFolder_SaysSo_AndOneThatIsFull_WaitsForItsReader()
    {
        using var source = Source($"${Data.Length}\r\n{Data}{string.Concat(Enumerable.Repeat(Command, 2000))}", 1000);
        var spool = new SpoolOptions { MemoryLimit = 4096, Folder = "/no/such/folder" };
        using (var replica = new Replica(source.Uri, options: new() { Spool = spool }))
        {
            Should.Throw<ReplicationSpoolException>(() => replica.ReadDataSet().ReadUntil("never"))
                .Message.ShouldContain("/no/such/folder");
        }

        using var full = new Replica(source.Uri, options: new() { Spool = spool with { DiskLimit = 0 } });
        SpinWait.SpinUntil(() => full.Link.IsFull);
        full.ReadDataSet();
        while (full.Commands.Count < 2000)
            full.Receive();
    }

    private static string Read<T>(FakeServer source)
        where T : Exception
    {
        using var replica = new Replica(source.Uri);
        return Should.Throw<T>(() => replica.ReadDataSet()).Message;
    }

    private static FakeServer Source(string content, int piece) =>
        FakeServer.Start((client, _) => Play(client, Answer + content, piece));

    // CLIENT SETNAME, REPLCONF three times, PSYNC.
    private static void Play(Socket client, string content, int piece)
    {
        FakeServer.AnswerOnce(client, "+OK\r\n", "+OK\r\n", "+OK\r\n", "+OK\r\n");
        FakeServer.Await(client);
        client.NoDelay = true;
        foreach (var bytes in Encoding.Latin1.GetBytes(content).Chunk(piece))
            client.Send(bytes);
        while (FakeServer.Await(client))
        {
        }
    }
}
