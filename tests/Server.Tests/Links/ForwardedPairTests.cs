using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Server.Links;

namespace RedisLatency.Server.Tests.Links;

public class ForwardedPairTests
{
    [Fact]
    public async Task Writes_OfTheSource_ComeToTheDestinationInTheirOrder()
    {
        using var pair = ForwardedPair.Start(LinkProfile.Symmetric(TimeSpan.FromMilliseconds(2)));
        using var source = RedisConnection.Open(RedisEndpoint.Parse(pair.Source), Patience.Connection);
        using var destination = RedisConnection.Open(RedisEndpoint.Parse(pair.Destination), Patience.Connection);

        for (var i = 0; i < 100; i++)
            source.Execute("SET", "count", $"{i}", "PX", "60000");
        source.Execute("INCR", "count");
        source.Execute("SET", "last", "here");
        source.Execute("DEL", "never");
        source.Execute("GET", "last");

        await Eventually.Is("the last write came", () => destination.Execute("EXISTS", "last").Number == 1);
        destination.Execute("GET", "count").Text.ShouldBe("100");
        destination.Execute("INFO", "keyspace").Text.ShouldContain("keys=2,expires=1,");
    }

    [Fact]
    public void Writes_ToTheDestination_StayThere()
    {
        using var pair = ForwardedPair.Start(new LinkProfile());
        using var source = RedisConnection.Open(RedisEndpoint.Parse(pair.Source), Patience.Connection);
        using var destination = RedisConnection.Open(RedisEndpoint.Parse(pair.Destination), Patience.Connection);

        destination.Execute("SET", "here", "1");

        source.Execute("EXISTS", "here").Number.ShouldBe(0);
    }
}
