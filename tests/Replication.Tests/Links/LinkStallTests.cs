using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Links;

namespace RedisLatency.Replication.Tests.Links;

public class LinkStallTests
{
    private const long Second = 1_000_000_000;

    private readonly SessionEvents _events = new();

    [Fact]
    public void Check_WhileNothingComes_ReportsItOnceAndThatItIsOver()
    {
        var link = new LinkStall("destination", 1_000_000, _events);

        link.Check(10 * Second, 10 * Second);
        link.Check((10 * Second) + LinkStall.LeastNs, 10 * Second);
        _events.All.ShouldBeEmpty("so long a pause is none");
        link.Check(12 * Second, 10 * Second);
        link.Check(13 * Second, 10 * Second);
        link.StandsForNs.ShouldBe(3 * Second);
        link.Check(16 * Second, 15 * Second);

        link.StandsForNs.ShouldBe(0);
        _events.All.Select(noted => noted.Kind).ShouldBe(["link-stalled", "link-resumed"]);
        _events.All[1].Text.ShouldContain("after 5.000 s of nothing");
    }

    [Fact]
    public void Check_AtKeysThatAreSentRarely_KnowsThatTheyComeRarely()
    {
        var link = new LinkStall("destination", 5.0 * Second, _events);

        link.Check(20 * Second, 10 * Second);

        _events.All.ShouldBeEmpty();
    }
}
