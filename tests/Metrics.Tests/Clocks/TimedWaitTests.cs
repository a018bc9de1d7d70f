using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.Tests.Clocks;

public class TimedWaitTests
{
    [Theory]
    [InlineData(-1_000_000)]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(300_000)]
    [InlineData(2_500_000)]
    public void Until_OfAMoment_NeverReturnsBeforeIt(long fromNowNs)
    {
        var due = MonotonicClock.NowNs() + fromNowNs;

        TimedWait.Until(due);

        MonotonicClock.NowNs().ShouldBeGreaterThanOrEqualTo(due);
    }

    [Theory]
    [InlineData(-1_000_000)]
    [InlineData(300_000)]
    [InlineData(2_500_000)]
    public void UntilByMilliseconds_OfAMoment_NeverReturnsBeforeIt(long fromNowNs)
    {
        var due = MonotonicClock.NowNs() + fromNowNs;

        TimedWait.UntilByMilliseconds(due);

        MonotonicClock.NowNs().ShouldBeGreaterThanOrEqualTo(due);
    }

    [Theory]
    [InlineData(long.MinValue)]
    [InlineData(-1)]
    [InlineData(0)]
    public void Until_OfAMomentBeforeTheClockBegan_ReturnsAtOnce(long due) => TimedWait.Until(due);

    [Fact]
    public void WakePrecisely_OnAnyPlatform_DoesNotThrow() => Should.NotThrow(TimedWait.WakePrecisely);
}
