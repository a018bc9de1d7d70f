using RedisLatency.Server.Clients;
using RedisLatency.Server.Tests.Wire;

namespace RedisLatency.Server.Tests.Clients;

public class MessageTests
{
    [Theory]
    [InlineData(2, '*')]
    [InlineData(3, '>')]
    public void Message_ReachesChannelAndPatternSubscribers_InTheirProtocol(int protocol, char type)
    {
        using var server = InProcessServer.Start();
        using var subscriber = WireClient.Connect(server.Port);
        using var publisher = WireClient.Connect(server.Port);
        subscriber.Exchange("HELLO", protocol == 3 ? "3" : "2");
        subscriber.Exchange("SUBSCRIBE", "news");
        subscriber.Exchange("PSUBSCRIBE", "n?ws");
        publisher.Exchange("PUBLISH", "news", "hi").ShouldBe(":2\r\n");
        var expected = $"{type}3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$2\r\nhi\r\n"
            + $"{type}4\r\n$8\r\npmessage\r\n$4\r\nn?ws\r\n$4\r\nnews\r\n$2\r\nhi\r\n";
        subscriber.Receive(expected.Length).ShouldBe(expected);
    }

    [Fact]
    public void ShardMessage_ReachesShardSubscribersAlone()
    {
        using var server = InProcessServer.Start();
        using var sharded = WireClient.Connect(server.Port);
        using var plain = WireClient.Connect(server.Port);
        sharded.Exchange("SSUBSCRIBE", "s");
        plain.Exchange("SUBSCRIBE", "s");
        using var publisher = WireClient.Connect(server.Port);
        publisher.Exchange("SPUBLISH", "s", "x").ShouldBe(":1\r\n");
        const string expected = "*3\r\n$8\r\nsmessage\r\n$1\r\ns\r\n$1\r\nx\r\n";
        sharded.Receive(expected.Length).ShouldBe(expected);
        plain.Exchange("PING").ShouldBe("*2\r\n$4\r\npong\r\n$0\r\n\r\n");
    }

    [Fact]
    public void Subscriptions_EndWithTheConnection()
    {
        using var server = InProcessServer.Start();
        using var publisher = WireClient.Connect(server.Port);
        using (var subscriber = WireClient.Connect(server.Port))
        {
            subscriber.Exchange("SUBSCRIBE", "a");
            subscriber.Exchange("PSUBSCRIBE", "a*");
            publisher.Exchange("PUBLISH", "a", "x").ShouldBe(":2\r\n");
            subscriber.Send("QUIT");
            subscriber.ReceiveToEnd();
        }

        publisher.Exchange("PUBLISH", "a", "x").ShouldBe(":0\r\n");
        publisher.Exchange("PUBSUB", "CHANNELS").ShouldBe("*0\r\n");
        publisher.Exchange("PUBSUB", "NUMPAT").ShouldBe(":0\r\n");
    }

    [Fact]
    public void ReplyOff_SilencesRepliesButNotMessages()
    {
        using var server = InProcessServer.Start();
        using var client = WireClient.Connect(server.Port);
        client.Exchange("HELLO", "3");
        client.Exchange("SUBSCRIBE", "a");
        client.Send("CLIENT", "REPLY", "OFF");
        client.Send("PUBLISH", "a", "x");
        client.Send("CLIENT", "REPLY", "ON");
        const string expected = ">3\r\n$7\r\nmessage\r\n$1\r\na\r\n$1\r\nx\r\n+OK\r\n";
        client.Receive(expected.Length).ShouldBe(expected);
        client.Send("CLIENT", "REPLY", "SKIP");
        client.Send("PING", "unseen");
        client.Exchange("PING", "seen").ShouldBe("$4\r\nseen\r\n");
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
