using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.Tests.Clocks;

public class WallClockMappingTests
{
    private static readonly DateTimeOffset WallStart = new(2026, 3, 1, 12, 0, 0, TimeSpan.Zero);

    [Fact]
    public void Sample_OfSixteen_KeepsTheQuickestAndBoundsItsError()
    {
        // The second attempt is quick but lopsided: 100 ns to the wall clock, 500 ns after it.
        var clocks = new ScriptedClocks(WallStart, [1_000, 5_000, 5_000, 1_000, 100, 500]);

        var mapping = WallClockMapping.Sample(clocks);

        mapping.ErrorNs.ShouldBe(300 + 100);
        mapping.SampledAtNs.ShouldBe(12_300);
        var truth = WallClockMapping.ToUnixNs(WallStart);
        mapping.OffsetNs.ShouldBeInRange(truth - mapping.ErrorNs, truth + mapping.ErrorNs);
    }

    [Theory]
    [InlineData(0, 900)]
    [InlineData(900, 0)]
    [InlineData(450, 450)]
    public void Sample_HoweverLopsided_ContainsTheTruthInItsError(long beforeNs, long afterNs)
    {
        var steps = Enumerable.Repeat(new[] { 77L, beforeNs, afterNs }, 16).SelectMany(attempt => attempt);

        var mapping = WallClockMapping.Sample(new ScriptedClocks(WallStart, steps));

        var truth = WallClockMapping.ToUnixNs(WallStart);
        mapping.OffsetNs.ShouldBeInRange(truth - mapping.ErrorNs, truth + mapping.ErrorNs);
    }

    [Fact]
    public void ToUtc_OfAMomentNow_LiesBetweenTwoReadingsOfTheWallClock()
    {
        var mapping = WallClockMapping.Sample();
        var before = TimeProvider.System.GetUtcNow();
        var moment = MonotonicClock.NowNs();
        var after = TimeProvider.System.GetUtcNow();

        // Outside Linux the two clocks are disciplined apart, hence a millisecond.
        mapping.ToUtc(moment).ShouldBeInRange(before.AddMilliseconds(-1), after.AddMilliseconds(1));
    }
}
