using System.Diagnostics;
using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.Tests.Clocks;

public class MonotonicClockTests
{
    [Fact]
    public void NowNs_BetweenTwoReadings_NeverStepsBack()
    {
        var previous = MonotonicClock.NowNs();
        for (var i = 0; i < 100_000; i++)
        {
            var now = MonotonicClock.NowNs();
            now.ShouldBeGreaterThanOrEqualTo(previous);
            previous = now;
        }
    }

    [Fact]
    public void NowNs_BetweenTwoStopwatchReadings_LiesBetweenThem()
    {
        var before = MonotonicClock.FromTimestamp(Stopwatch.GetTimestamp());
        var now = MonotonicClock.NowNs();
        var after = MonotonicClock.FromTimestamp(Stopwatch.GetTimestamp());

        now.ShouldBeInRange(before, after);
    }

    [Fact]
    public void ToTimestamp_OfATimestampsNanoseconds_IsThatTimestamp()
    {
        var timestamp = Stopwatch.GetTimestamp();

        MonotonicClock.ToTimestamp(MonotonicClock.FromTimestamp(timestamp)).ShouldBe(timestamp);
    }

    [Theory]
    [InlineData(1_000_000_000, 1_234_567_891, 1_234_567_891)]
    [InlineData(10_000_000, 12_345_679, 1_234_567_900)]
    [InlineData(24_000_000, 24, 1_000)]
    [InlineData(24_000_000, 1, 41)]
    [InlineData(3_579_545, 9_223_372_036_854, 2_576_688_388_287_896)]
    public void ToNanoseconds_OfEveryFrequency_IsWholeNanosecondsRoundedDown(long frequency, long ticks, long ns) =>
        MonotonicClock.ToNanoseconds(ticks, frequency).ShouldBe(ns);

    [Theory]
    [InlineData(1_000_000_000, 7, 7)]
    [InlineData(10_000_000, 100, 1)]
    [InlineData(10_000_000, 101, 2)]
    [InlineData(24_000_000, 42, 2)]
    public void ToTicks_OfADueTime_IsNeverEarly(long frequency, long ns, long ticks) =>
        MonotonicClock.ToTicks(ns, frequency).ShouldBe(ticks);

    [Fact]
    public void Measure_OfTheReadCost_IsPositiveAndItsMinimumNotAboveItsMedian()
    {
        var cost = ClockReadCost.Measure();

        cost.MinimumNs.ShouldBeGreaterThan(0);
        cost.MedianNs.ShouldBeGreaterThanOrEqualTo(cost.MinimumNs);
    }
}
