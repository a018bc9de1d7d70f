using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Lanes;
using RedisLatency.Redis.StackExchange;

namespace RedisLatency.Redis.Tests.StackExchange;

public sealed class StackExchangeLaneTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    [Fact]
    public async Task TryReceive_OfTenThousandMessages_ReturnsEachOnceAndInOrder()
    {
        await using var server = await StartServer();
        using var lane = Open(server, "ping");

        for (var i = 0; i < 10_000; i++)
            lane.Publish(0, Encoding.ASCII.GetBytes(i.ToString(CultureInfo.InvariantCulture)));

        for (var i = 0; i < 10_000; i++)
        {
            Encoding.ASCII.GetString(Receive(lane)).ShouldBe(i.ToString(CultureInfo.InvariantCulture));
        }

        lane.TryReceive(0, out _).ShouldBeFalse();
    }

    private static byte[] Receive(StackExchangeLane lane)
    {
        var deadline = Stopwatch.GetTimestamp() + (long)(Limit.TotalSeconds * Stopwatch.Frequency);
        lane.TryReceive(deadline, out var message).ShouldBeTrue();
        return message.Payload.ToArray();
    }

    private static StackExchangeLane Open(RedisServerProcess server, params string[] channels) =>
        StackExchangeLane.Open(
            new StackExchangeTarget(new IPEndPoint(IPAddress.Loopback, server.Port)),
            new LaneOptions { PublishChannels = channels, SubscribeChannels = channels });

    private static Task<RedisServerProcess> StartServer(params string[] arguments)
    {
        Assert.SkipWhen(ServerRequirement.ReasonToSkip("redis-server") is { } reason, "redis-server is missing");
        return RedisServerProcess.Start("redis-server", arguments);
    }
}
