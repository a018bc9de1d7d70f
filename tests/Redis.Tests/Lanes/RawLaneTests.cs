using System.Diagnostics;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Redis.Tests.Lanes;

public sealed class RawLaneTests
{
    [Theory]
    [InlineData(RespPreference.Auto, 3)]
    [InlineData(RespPreference.Resp2, 2)]
    [InlineData(RespPreference.Resp3, 3)]
    public async Task Message_ThroughServer_ComesBackAsSent(RespPreference protocol, int spoken)
    {
        await using var server = await RedisTest.StartServer();
        using var lane = LaneTest.Open(server.Uri, protocol);

        lane.Description.Protocol.ShouldBe(spoken);
        for (var i = 0; i < 100; i++)
        {
            lane.DrainReplies();
            lane.Publish(0, [1, 2, (byte)i]);
            LaneTest.ReceiveBytes(lane).ShouldBe([1, 2, (byte)i]);
        }

        lane.DrainReplies();
        lane.LastReceiverCount.ShouldBe(1);
    }

    [Theory]
    [InlineData(RespPreference.Resp2)]
    [InlineData(RespPreference.Resp3)]
    public async Task Asked_EachConnectionAnswers_AndAMessageIsAnAnswerToo(RespPreference protocol)
    {
        await using var server = await RedisTest.StartServer();
        using var lane = LaneTest.Open(server.Uri, protocol);
        lane.UnansweredSince.ShouldBeNull();

        server.Pause();
        lane.Ask();
        var asked = lane.UnansweredSince.ShouldNotBeNull();
        lane.Ask();
        lane.DrainReplies();
        lane.TryReceive(0, out _).ShouldBeFalse();
        lane.UnansweredSince.ShouldBe(asked);
        server.Resume();
        WaitForAnswers(lane);

        lane.Publish(0, [1]);
        lane.Ask();
        LaneTest.ReceiveBytes(lane).ShouldBe([1]);
        WaitForAnswers(lane);
        lane.LastReceiverCount.ShouldBe(1);
    }

    [Fact]
    public async Task Asked_WhoMayNotAsk_IsAnsweredWithARefusal()
    {
        await using var server =
            await RedisTest.StartServer("--user", "alice", "on", ">secret", "+@all", "-ping", "allchannels");
        using var lane = LaneTest.Open(server.Uri.Replace("//", "//alice:secret@"));

        lane.Ask();

        WaitForAnswers(lane);
        lane.DrainReplies();
    }

    private static void WaitForAnswers(IPubSubLane lane)
    {
        for (var until = LaneTest.Soon; lane.UnansweredSince is not null;)
        {
            lane.DrainReplies();
            lane.TryReceive(0, out _).ShouldBeFalse();
            Stopwatch.GetTimestamp().ShouldBeLessThan(until);
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Payload_OfAnySize_ComesBackAsSent(bool portable)
    {
        await using var server = await RedisTest.UsePlainServer();
        var channel = PlainServer.NewChannel();
        using var lane = LaneTest.Open(server.Uri, publish: [channel], subscribe: [channel], portable: portable);
        foreach (var size in (int[])[0, 1, 5000, 1 << 20, 7])
        {
            var payload = new byte[size];
            new Random(size).NextBytes(payload);
            lane.DrainReplies();

            lane.Publish(0, payload);

            LaneTest.Receive(lane).Payload.SequenceEqual(payload).ShouldBeTrue();
        }
    }

    [Fact]
    public async Task Channels_AreToldApartByTheirIndex()
    {
        await using var server = await RedisTest.UsePlainServer();
        string[] channels = [PlainServer.NewChannel(), PlainServer.NewChannel(), PlainServer.NewChannel()];
        using var lane = LaneTest.Open(server.Uri, publish: [.. channels.Reverse()], subscribe: channels);
        for (var i = 0; i < 3; i++)
            lane.Publish(i, [(byte)i]);

        for (var i = 0; i < 3; i++)
        {
            var message = LaneTest.Receive(lane);
            message.Channel.ShouldBe(2 - message.Payload[0]);
        }
    }

    [Fact]
    public async Task Messages_ThatCameTogether_AllComeOutInOrder()
    {
        await using var server = await RedisTest.UsePlainServer();
        var channel = PlainServer.NewChannel();
        using var lane = LaneTest.Open(server.Uri, publish: [channel], subscribe: [channel]);
        for (var i = 0; i < 20_000; i++)
            lane.Publish(0, BitConverter.GetBytes(i));

        for (var i = 0; i < 20_000; i++)
            BitConverter.ToInt32(LaneTest.Receive(lane).Payload).ShouldBe(i);
        lane.TryReceive(long.MinValue, out _).ShouldBeFalse();
    }

    [Fact]
    public async Task UnixSocket_CarriesMessages()
    {
        await using var server = await RedisTest.StartServer();
        using var lane = LaneTest.Open($"unix:{server.SocketPath}");

        lane.Publish(0, [1, 2]);

        LaneTest.ReceiveBytes(lane).ShouldBe([1, 2]);
        lane.Description.Transport.ShouldStartWith("unix");
    }

    [Theory]
    [InlineData(false, false)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    [InlineData(true, true)]
    public async Task Messages_InTheThousands_AllocateNothing(bool busyPoll, bool portable)
    {
        await using var server = await RedisTest.StartServer();
        using var lane = LaneTest.Open(server.Uri, busyPoll: busyPoll, portable: portable);
        RoundTrips(lane, 2000);

        // The runtime itself allocates a few bytes now and then (tiered compilation): never in every batch.
        var least = long.MaxValue;
        for (var batch = 0; batch < 5; batch++)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            RoundTrips(lane, 1000);
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        least.ShouldBe(0);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Receive_WithNothingThere_ReturnsAboutWhenTold(bool portable)
    {
        await using var server = await RedisTest.StartServer();
        using var lane = LaneTest.Open(server.Uri, portable: portable);
        var start = Stopwatch.GetTimestamp();

        lane.TryReceive(start + (Stopwatch.Frequency / 50), out _).ShouldBeFalse();

        // The portable poll knows whole milliseconds only, and returns early rather than late.
        var least = TimeSpan.FromMilliseconds(portable ? 0 : 20);
        Stopwatch.GetElapsedTime(start).ShouldBeInRange(least, TimeSpan.FromSeconds(2));
    }

    private static void RoundTrips(RawLane lane, int count)
    {
        Span<byte> payload = stackalloc byte[64];
        for (var i = 0; i < count; i++)
        {
            lane.DrainReplies();
            lane.Publish(0, payload);
            LaneTest.Receive(lane);
        }
    }
}
