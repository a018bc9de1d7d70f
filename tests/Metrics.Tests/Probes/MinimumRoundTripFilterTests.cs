using RedisLatency.Metrics.Probes;

namespace RedisLatency.Metrics.Tests.Probes;

public class MinimumRoundTripFilterTests
{
    [Fact]
    public void Offset_IsTheMidpointOfTheQuickestProbe()
    {
        var filter = new MinimumRoundTripFilter();
        filter.Add(new ClockProbe(0, 1_000_900, 1_001_000, 1_100));
        filter.Add(new ClockProbe(10_000, 1_010_040, 1_010_140, 10_200));
        filter.Add(new ClockProbe(20_000, 1_020_500, 1_020_600, 20_800));

        filter.OffsetNs.ShouldBe(999_990);
        filter.ErrorAt(10_100, driftPpm: 0).ShouldBe(50);
    }

    [Fact]
    public void Error_GrowsByTheDriftAndShrinksByTheFloors()
    {
        var filter = new MinimumRoundTripFilter(forwardFloorNs: 10, backFloorNs: 20);
        filter.Add(new ClockProbe(0, 1_000_040, 1_000_140, 200));

        filter.ErrorAt(1_000_000_000, driftPpm: 100).ShouldBe(35 + 100_000);
    }

    [Fact]
    public void Error_WithoutAProbe_IsBoundless()
    {
        var filter = new MinimumRoundTripFilter();
        filter.Add(new ClockProbe(0, 1, 2, 3));
        filter.Reset();

        filter.Quickest.ShouldBeNull();
        filter.ErrorAt(0, 100).ShouldBe(long.MaxValue);
    }
}
