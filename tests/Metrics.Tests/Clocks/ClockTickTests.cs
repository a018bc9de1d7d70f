using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.Tests.Clocks;

public sealed class ClockTickTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(100)]
    [InlineData(1_000_000)]
    public void MeasureNs_OfAClockThatStands_IsItsStep(long tick)
    {
        var at = 0L;

        ClockTick.MeasureNs(() => (at += 20) / tick * tick, () => false).ShouldBe(Math.Max(20, tick));
    }

    [Fact]
    public void MeasureNs_OfAClockThatStandsForever_Ends() =>
        ClockTick.MeasureNs(() => 1, () => true).ShouldBeGreaterThan(1_000_000);

    [Fact]
    public void MeasureNs_OfThisHost_IsLessThanAMillisecond() =>
        ClockTick.MeasureNs().ShouldBeInRange(1, 1_000_000);
}
