using RedisLatency.Server.Clients;
using RedisLatency.Server.Tests.Wire;

namespace RedisLatency.Server.Tests.Clients;

public class MessageTests
{
    [Theory]
    [InlineData(2, '*')]
    [InlineData(3, '>')]
    public void Message_ReachesSubscribers_InTheirProtocol(int protocol, char type)
    {
        using var server = InProcessServer.Start();
        using var subscriber = WireClient.Connect(server.Port);
        using var publisher = WireClient.Connect(server.Port);
        subscriber.Exchange("HELLO", protocol == 3 ? "3" : "2");
        subscriber.Exchange("SUBSCRIBE", "news");
        publisher.Exchange("PUBLISH", "news", "hi").ShouldBe(":1\r\n");
        var expected = $"{type}3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$2\r\nhi\r\n";
        subscriber.Receive(expected.Length).ShouldBe(expected);
    }

    [Fact]
    public void Subscriptions_EndWithTheConnection()
    {
        using var server = InProcessServer.Start();
        using var publisher = WireClient.Connect(server.Port);
        using (var subscriber = WireClient.Connect(server.Port))
        {
            subscriber.Exchange("SUBSCRIBE", "a");
            publisher.Exchange("PUBLISH", "a", "x").ShouldBe(":1\r\n");
            subscriber.Send("QUIT");
            subscriber.ReceiveToEnd();
        }

        publisher.Exchange("PUBLISH", "a", "x").ShouldBe(":0\r\n");
        publisher.Exchange("PUBSUB", "NUMSUB", "a").ShouldBe("*2\r\n$1\r\na\r\n:0\r\n");
    }

    [Theory]
    [InlineData(1 << 20, 0)]
    [InlineData(0, 1 << 20)]
    public void SlowSubscriber_IsDroppedAtItsLimit_AndOthersGoOn(long hardBytes, long softBytes)
    {
        const int messages = 400;
        using var server = InProcessServer.Start(new InProcessServerOptions
        {
            OutputBufferLimit = new OutputBufferLimit(hardBytes, softBytes, TimeSpan.Zero),
        });
        using var slow = WireClient.Connect(server.Port, receiveBuffer: 4096);
        using var steady = WireClient.Connect(server.Port);
        using var publisher = WireClient.Connect(server.Port);
        slow.Exchange("SUBSCRIBE", "a");
        steady.Exchange("SUBSCRIBE", "a");
        var payload = new string('x', 64 * 1024);
        var messageLength = "*3\r\n$7\r\nmessage\r\n$1\r\na\r\n$65536\r\n\r\n".Length + payload.Length;
        var receivers = new List<string>();
        for (var index = 0; index < messages; index++)
        {
            receivers.Add(publisher.Exchange("PUBLISH", "a", payload));
            steady.Receive(messageLength).Length.ShouldBe(messageLength);
        }

        receivers[0].ShouldBe(":2\r\n");
        receivers[^1].ShouldBe(":1\r\n");
        slow.ReceiveToEnd().Length.ShouldBeLessThan(messages * messageLength);
        publisher.Exchange("INFO", "stats").ShouldContain("client_output_buffer_limit_disconnections:1\r\n");
    }
}
