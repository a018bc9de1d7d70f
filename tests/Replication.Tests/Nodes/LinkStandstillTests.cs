using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Tests.Nodes;

public class LinkStandstillTests
{
    private const long Second = 1_000_000_000;

    private readonly SessionEvents _events = new();

    [Fact]
    public void Look_WhileNothingComes_TellsItOnceAndThatItIsOver()
    {
        var link = new LinkStandstill("destination", 1_000_000, _events);

        link.Look(10 * Second, 10 * Second);
        link.Look((10 * Second) + LinkStandstill.LeastNs, 10 * Second);
        _events.All.ShouldBeEmpty("so long a pause is none");
        link.Look(12 * Second, 10 * Second);
        link.Look(13 * Second, 10 * Second);
        link.StandsForNs.ShouldBe(3 * Second);
        link.Look(16 * Second, 15 * Second);

        link.StandsForNs.ShouldBe(0);
        _events.All.Select(told => told.Kind).ShouldBe(["link-stalled", "link-resumed"]);
        _events.All[1].Text.ShouldContain("after 5.000 s of nothing");
    }

    [Fact]
    public void Look_AtKeysThatAreSentRarely_KnowsThatTheyComeRarely()
    {
        var link = new LinkStandstill("destination", 5.0 * Second, _events);

        link.Look(20 * Second, 10 * Second);

        _events.All.ShouldBeEmpty();
    }
}
