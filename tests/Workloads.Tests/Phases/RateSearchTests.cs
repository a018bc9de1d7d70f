using RedisLatency.Reports.Figures;
using RedisLatency.Workloads.Distributions;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.Tests.Phases;

public class RateSearchTests
{
    [Theory]
    [InlineData(100, 2_000)]
    [InlineData(1_900, 2_000)]
    [InlineData(50_000, 2_000)]
    [InlineData(900_000, 1_234_567)]
    public void Search_EndsWithTheLimitBetweenItsTwoRates(double first, double planted)
    {
        var search = Run(new RateSearch(first), rate => rate < planted ? StepOutcome.Held : StepOutcome.Missed);

        search.End.ShouldBe(SearchEnd.Latency);
        ShouldContain(search, planted);
    }

    /// <summary>One step in six meets a stall that makes it miss, however slow it is.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    public void Search_OnAMachineThatStalls_IsNotLedAstray(ulong seed)
    {
        var random = new RandomSource(seed);
        var search = Run(new RateSearch(700), rate =>
            rate < 2_000 && random.NextDouble() > 1 / 6.0 ? StepOutcome.Held : StepOutcome.Missed);

        search.Held.ShouldNotBeNull().ShouldBeLessThan(2_000);
        search.NotHeld.ShouldNotBeNull().ShouldBeGreaterThan(search.Held.Value);
    }

    [Fact]
    public void Rate_ThatALongerLookDoesNotHold_IsNoAnswer()
    {
        var search = new RateSearch(500);
        Run(search, rate => rate < (search.IsLong ? 1_500 : 2_000) ? StepOutcome.Held : StepOutcome.Missed);

        ShouldContain(search, 1_500);
    }

    [Fact]
    public void Search_ThatTheGeneratorEnds_SaysSo()
    {
        var search = Run(new RateSearch(500), rate => rate < 2_000 ? StepOutcome.Held : StepOutcome.Generator);

        search.End.ShouldBe(SearchEnd.Generator);
        ShouldContain(search, 2_000);
    }

    [Fact]
    public void Search_ThatHoldsNothing_EndsWithoutAnAnswer()
    {
        var search = Run(new RateSearch(500), _ => StepOutcome.Missed);

        search.Held.ShouldBeNull();
        search.NotHeld.ShouldNotBeNull().ShouldBeLessThan(2);
    }

    private static void ShouldContain(RateSearch search, double planted)
    {
        search.Held.ShouldNotBeNull().ShouldBeInRange(planted / (1 + RateSearch.Precision), planted);
        search.NotHeld.ShouldNotBeNull().ShouldBeInRange(planted, planted * (1 + RateSearch.Precision));
    }

    private static RateSearch Run(RateSearch search, Func<double, StepOutcome> outcome)
    {
        while (search.Next is { } rate)
            search.Take(outcome(rate));
        return search;
    }
}
