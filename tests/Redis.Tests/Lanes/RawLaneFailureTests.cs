using System.Diagnostics;
using System.Net.Sockets;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Redis.Tests.Lanes;

public sealed class RawLaneFailureTests
{
    private static readonly string[] Login = ["-ERR unknown command\r\n", "+OK\r\n"];
    private static readonly string[] Subscribing = [.. Login, "*3\r\n$9\r\nsubscribe\r\n$4\r\nping\r\n:1\r\n"];

    [Fact]
    public async Task ServerKilled_IsALostConnection_ForBothDirections()
    {
        await using var server = await RedisTest.StartServer();
        using var lane = LaneTest.Open(server.Uri);
        await server.Kill();

        Should.Throw<RedisConnectionLostException>(() => LaneTest.Receive(lane).Channel);
        Should.Throw<RedisConnectionLostException>(() =>
        {
            for (var i = 0; i < 1000; i++)
                lane.Publish(0, [1]);
        });
    }

    [Fact]
    public async Task SubscriberDroppedForItsOutputBuffer_IsALostConnection()
    {
        await using var server =
            await RedisTest.StartServer("--client-output-buffer-limit", "pubsub", "1mb", "1mb", "1");
        using var lane = LaneTest.Open(server.Uri);
        var payload = new byte[1 << 20];
        for (var i = 0; i < 64; i++)
        {
            lane.Publish(0, payload);
            lane.DrainReplies();
        }

        Should.Throw<RedisConnectionLostException>(() =>
        {
            while (true)
                LaneTest.Receive(lane);
        });
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public async Task RepliesThatServerWithholds_AreNotWaitedFor(bool portable, bool busyPoll)
    {
        await using var server = await RedisTest.StartServer();
        using var lane = LaneTest.Open(server.Uri, portable: portable, busyPoll: busyPoll);
        server.Pause();
        lane.Publish(0, [1]);

        var start = Stopwatch.GetTimestamp();
        for (var i = 0; i < 1_000; i++)
            lane.DrainReplies();

        // A thousand waits of a slice each would take a hundred seconds.
        Stopwatch.GetElapsedTime(start).ShouldBeLessThan(TimeSpan.FromSeconds(10));
        server.Resume();
    }

    [Fact]
    public async Task PublishThatIsNotPermitted_SurfacesWithTheReplies_OncePerMessage()
    {
        await using var server =
            await RedisTest.StartServer("--user", "alice", "on", ">secret", "+@all", "resetchannels");
        using var lane = LaneTest.Open(server.Uri.Replace("//", "//alice:secret@"), subscribe: []);

        lane.Publish(0, [1]);
        lane.Publish(0, [2]);

        DrainUntilRefused(lane).Code.ShouldBe("NOPERM");
        DrainUntilRefused(lane).Code.ShouldBe("NOPERM");
        lane.DrainReplies();
    }

    [Fact]
    public async Task SubscribingWithoutTheRight_NamesTheAclLine()
    {
        await using var server =
            await RedisTest.StartServer("--user", "alice", "on", ">secret", "+@all", "resetchannels");

        var problem = Should.Throw<RedisConnectException>(
            () => LaneTest.Open(server.Uri.Replace("//", "//alice:secret@"), subscribe: ["pong", "pong2"]));

        problem.Reason.ShouldBe(ConnectFailure.NotPermitted);
        problem.Message.ShouldContain("ACL SETUSER alice &pong &pong2");
    }

    [Fact]
    public void ConnectionEndingInsideAMessage_SaysSo()
    {
        using var server = FakeServer.Start((client, _) =>
        {
            FakeServer.AnswerOnce(client, Subscribing);
            FakeServer.Say(client, "*3\r\n$7\r\nmessage\r\n$4\r\nping\r\n$10\r\nhalf");
        });
        using var lane = LaneTest.Open(server.Uri, publish: []);

        Should.Throw<RedisConnectionLostException>(() => LaneTest.Receive(lane).Channel)
            .Message.ShouldContain("in the middle of a message");
    }

    [Fact]
    public void ForeignFrames_AreLeftOut_AndGarbageIsAProtocolError()
    {
        using var server = FakeServer.Start((client, _) => FakeServer.Answer(
            client,
            [
                .. Subscribing[..2],
                Subscribing[2] + "*3\r\n$7\r\nmessage\r\n$5\r\nother\r\n$1\r\nx\r\n"
                + "*4\r\n$8\r\npmessage\r\n$1\r\n*\r\n$4\r\nping\r\n$1\r\nx\r\n>2\r\n+invalidate\r\n_\r\n"
                + "*3\r\n$7\r\nmessage\r\n$4\r\nping\r\n$2\r\nhi\r\n!x\r\n",
            ]));
        using var lane = LaneTest.Open(server.Uri, publish: []);

        LaneTest.ReceiveBytes(lane).ShouldBe("hi"u8.ToArray());
        Should.Throw<RedisProtocolException>(() => LaneTest.Receive(lane).Channel);
    }

    [Fact]
    public void ReplyThatNothingAskedFor_IsAProtocolError()
    {
        using var server = FakeServer.Start((client, _) => FakeServer.Answer(client, [.. Login, ":1\r\n:7\r\n"]));
        using var lane = LaneTest.Open(server.Uri, subscribe: []);

        lane.Publish(0, [1]);

        Should.Throw<RedisProtocolException>(() =>
        {
            for (var end = Stopwatch.GetTimestamp() + (10 * Stopwatch.Frequency); Stopwatch.GetTimestamp() < end;)
                lane.DrainReplies();
        }).Message.ShouldContain("nothing was asked, but the server says 7");
    }

    /// <summary>A server that reads nothing until its replies are read must not bring publishing to a stop.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Publishing_WithoutDraining_NeverLocksUp(bool portable)
    {
        using var server = FakeServer.Start((client, _) =>
        {
            FakeServer.AnswerOnce(client, Login);
            ReplyToEverything(client);
        });
        using var lane = RawLane.Open(
            RedisEndpoint.Parse(server.Uri),
            new() { IsPortable = portable },
            new() { PublishChannels = ["ping"] });
        var payload = new byte[32 << 10];

        for (var i = 0; i < 2000; i++)
            lane.Publish(0, payload);
    }

    [Fact]
    public async Task Lane_WithoutChannels_IsRefused()
    {
        await using var server = await RedisTest.StartServer();

        Should.Throw<ArgumentException>(() => LaneTest.Open(server.Uri, publish: [], subscribe: []));
    }

    [Fact]
    public async Task Payload_LargerThanTheLaneWasOpenedFor_IsRefused()
    {
        await using var server = await RedisTest.StartServer();
        using var lane = RawLane.Open(
            RedisEndpoint.Parse(server.Uri), new(), new() { PublishChannels = ["a"], MaxPayload = 100 });

        lane.Publish(0, new byte[100]);
        Should.Throw<ArgumentException>(() => lane.Publish(0, new byte[101]));
    }

    private static RedisServerException DrainUntilRefused(RawLane lane)
    {
        var until = LaneTest.Soon;
        while (System.Diagnostics.Stopwatch.GetTimestamp() < until)
        {
            try
            {
                lane.DrainReplies();
            }
            catch (RedisServerException problem)
            {
                return problem;
            }
        }

        throw new TimeoutException("No error came.");
    }

    private static void ReplyToEverything(Socket client)
    {
        var replies = System.Text.Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat(":1\r\n", 16 << 10)));
        while (FakeServer.Await(client))
            client.Send(replies);
    }
}
