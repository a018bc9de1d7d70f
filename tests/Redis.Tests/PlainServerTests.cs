using RedisLatency.Fixtures;
using RedisLatency.Redis.Tests.Lanes;

namespace RedisLatency.Redis.Tests;

/// <summary>Which server the tests of this project talk to.</summary>
public sealed class PlainServerTests
{
    [Fact]
    public async Task NamedServer_IsUsed_AndOutlivesItsUsers()
    {
        await using var other = await RedisTest.StartServer();

        for (var user = 0; user < 2; user++)
        {
            await using var server = await PlainServer.Use(other.Uri);
            server.IsGiven.ShouldBeTrue();
            server.Uri.ShouldBe(other.Uri);
            Echoes(server.Uri);
        }
    }

    [Fact]
    public async Task WithoutName_AServerIsStarted()
    {
        await using var server = await PlainServer.Use(given: null);

        server.IsGiven.ShouldBeFalse();
        Echoes(server.Uri);
    }

    private static void Echoes(string uri)
    {
        using var lane = LaneTest.Open(uri);
        lane.Publish(0, [7]);
        LaneTest.ReceiveBytes(lane).ShouldBe([7]);
    }
}
