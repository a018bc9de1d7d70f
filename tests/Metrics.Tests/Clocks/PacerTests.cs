using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.Tests.Clocks;

public class PacerTests
{
    [Theory]
    [InlineData(-1_000_000)]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(300_000)]
    [InlineData(2_500_000)]
    public void WaitUntil_OfAMoment_NeverReturnsBeforeIt(long fromNowNs)
    {
        var due = MonotonicClock.NowNs() + fromNowNs;

        Pacer.WaitUntil(due);

        MonotonicClock.NowNs().ShouldBeGreaterThanOrEqualTo(due);
    }

    [Theory]
    [InlineData(-1_000_000)]
    [InlineData(300_000)]
    [InlineData(2_500_000)]
    public void WaitByMilliseconds_OfAMoment_NeverReturnsBeforeIt(long fromNowNs)
    {
        var due = MonotonicClock.NowNs() + fromNowNs;

        Pacer.WaitByMilliseconds(due);

        MonotonicClock.NowNs().ShouldBeGreaterThanOrEqualTo(due);
    }

    [Theory]
    [InlineData(long.MinValue)]
    [InlineData(-1)]
    [InlineData(0)]
    public void WaitUntil_OfAMomentBeforeTheClockBegan_ReturnsAtOnce(long due) => Pacer.WaitUntil(due);

    [Fact]
    public void WakePrecisely_OnAnyPlatform_DoesNotThrow() => Should.NotThrow(Pacer.WakePrecisely);

    [Fact]
    public void TryWaitUntil_OfAMoment_NeverReturnsBeforeIt()
    {
        var due = MonotonicClock.NowNs() + Pacer.LongestNapNs + 1_000_000;

        Pacer.TryWaitUntil(due, TestContext.Current.CancellationToken).ShouldBeTrue();

        MonotonicClock.NowNs().ShouldBeGreaterThanOrEqualTo(due);
    }

    [Fact]
    public void TryWaitUntil_ThatShallEnd_DoesNotWaitForTheMoment()
    {
        using var end = new CancellationTokenSource();
        using var later = new Timer(_ => end.Cancel(), null, dueTime: 1, Timeout.Infinite);

        Pacer.TryWaitUntil(MonotonicClock.NowNs() + 3_600_000_000_000, end.Token).ShouldBeFalse();
    }

    [Fact]
    public void SpinUntil_OfAMoment_ReturnsTheFirstReadingThatIsNotBeforeIt()
    {
        var due = MonotonicClock.NowNs() + 10_000;

        Pacer.SpinUntil(due).ShouldBeGreaterThanOrEqualTo(due);
    }
}
