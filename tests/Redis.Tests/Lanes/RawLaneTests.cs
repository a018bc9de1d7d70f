using System.Diagnostics;
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
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(5000)]
    [InlineData(1 << 20)]
    public async Task Payload_OfAnySize_ComesBackAsSent(int size)
    {
        await using var server = await RedisTest.StartServer();
        using var lane = LaneTest.Open(server.Uri);
        var payload = new byte[size];
        new Random(7).NextBytes(payload);

        lane.Publish(0, payload);

        LaneTest.Receive(lane).Payload.SequenceEqual(payload).ShouldBeTrue();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Messages_InTheThousands_AllocateNothing(bool busyPoll)
    {
        await using var server = await RedisTest.StartServer();
        using var lane = LaneTest.Open(server.Uri, busyPoll: busyPoll);
        RoundTrips(lane, 2000);

        var before = GC.GetAllocatedBytesForCurrentThread();
        RoundTrips(lane, 5000);

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
    }

    [Fact]
    public async Task Receive_WithNothingThere_ReturnsAboutWhenTold()
    {
        await using var server = await RedisTest.StartServer();
        using var lane = LaneTest.Open(server.Uri);
        var start = Stopwatch.GetTimestamp();

        lane.TryReceive(start + (Stopwatch.Frequency / 50), out _).ShouldBeFalse();

        Stopwatch.GetElapsedTime(start).ShouldBeInRange(TimeSpan.FromMilliseconds(20), TimeSpan.FromSeconds(2));
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
