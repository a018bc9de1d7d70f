using RedisLatency.Redis.Topology;
using static RedisLatency.Redis.Tests.Topology.Replies;

namespace RedisLatency.Redis.Tests.Topology;

public sealed class SlotRoutesTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    [Fact]
    public void Moved_RoutesItsSlotAtOnce_UntilANewerMapIsTaken()
    {
        using var cluster = new FakeCluster(All("h1", 1));
        using var source = cluster.Open(TimeSpan.Zero);
        var routes = new SlotRoutes(source);
        var (map, asked) = (routes.Map, source.Nodes[routes.PrimaryOf(7)]);
        cluster.Gate.Reset();
        Redirection.TryParse("MOVED 7 10.0.0.2:7002"u8, out var moved).ShouldBeTrue();

        var named = routes.Follow(moved, asked);

        named.Endpoint.Address.ShouldBe("10.0.0.2:7002");
        routes.PrimaryOf(7).ShouldBe(named.Number);
        routes.ReplicasOf(7).ShouldBeEmpty();
        routes.PrimaryOf(8).ShouldBe(asked.Number);
        routes.HasOneShard.ShouldBeFalse();
        routes.TryTakeNewer().ShouldBeFalse();
        cluster.Gate.Set();
        source.WaitForNewer(map, Limit).ShouldNotBeSameAs(map);
        routes.TryTakeNewer().ShouldBeTrue();
        routes.PrimaryOf(7).ShouldBe(asked.Number);
        routes.HasOneShard.ShouldBeTrue();
    }

    [Fact]
    public void Ask_NamesItsServer_AndLeavesTheRoutes()
    {
        using var cluster = new FakeCluster(All("h1", 1));
        using var source = cluster.Open(TimeSpan.Zero);
        var routes = new SlotRoutes(source);
        var asked = source.Nodes[routes.PrimaryOf(7)];
        Redirection.TryParse("ASK 7 10.0.0.2:7002"u8, out var ask).ShouldBeTrue();

        routes.Follow(ask, asked).Endpoint.Address.ShouldBe("10.0.0.2:7002");

        routes.PrimaryOf(7).ShouldBe(asked.Number);
        routes.HasOneShard.ShouldBeTrue();
    }
}
