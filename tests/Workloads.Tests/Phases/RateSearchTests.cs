using RedisLatency.Reports.Figures;
using RedisLatency.Workloads.Keys;
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

    /// <summary>A hundredth of where it began: what is slow there is slow by itself.</summary>
    [Fact]
    public void Search_ThatHoldsNothing_EndsSoonWithoutAnAnswer()
    {
        var steps = 0;
        var search = Run(new RateSearch(50_000), _ =>
        {
            steps++;
            return StepOutcome.Missed;
        });

        (search.Held, search.End).ShouldBe((null, SearchEnd.Latency));
        search.NotHeld.ShouldNotBeNull().ShouldBeInRange(500, 2_000);
        steps.ShouldBeLessThanOrEqualTo(8);
    }

    /// <summary>Where slow steps would take minutes each, it ends before.</summary>
    [Fact]
    public void Search_ThatHoldsNothing_DoesNotGoBelowTheLeast()
    {
        var search = Run(new RateSearch(1_000, least: 200), _ => StepOutcome.Missed);

        search.NotHeld.ShouldBe(250);
    }

    [Fact]
    public void Step_ThatCannotTell_IsMadeLonger_UntilItCan()
    {
        var search = new RateSearch(1_000);
        search.Take(StepOutcome.Unsure);
        (search.Next, search.Stretch).ShouldBe((1_000, 2));
        search.Take(StepOutcome.Held);

        (search.Next, search.Stretch, search.Held).ShouldBe((2_000, 1, 1_000));
    }

    [Fact]
    public void Rate_OfWhichTheLongestStepCannotTell_IsNotSaidToBeMissed()
    {
        var search = Run(new RateSearch(500), rate => rate < 2_000 ? StepOutcome.Held : StepOutcome.Unsure);

        search.End.ShouldBe(SearchEnd.Unsure);
        ShouldContain(search, 2_000);
    }

    /// <summary>One pause at the very first step, or in any other, must not halve the answer.</summary>
    [Fact]
    public void Search_WithOnePause_WhereverItIs_FindsTheSame()
    {
        for (var pause = 0; pause < 20; pause++)
        {
            var step = 0;
            var search = Run(new RateSearch(700), rate =>
                step++ != pause && rate < 2_000 ? StepOutcome.Held : StepOutcome.Missed);

            ShouldContain(search, 2_000);
        }
    }

    /// <summary>What held in short steps is not believed once the server has become slower.</summary>
    [Fact]
    public void Search_OnAServerThatBecomesSlower_FindsWhatHoldsNow()
    {
        var step = 0;
        var search = Run(new RateSearch(500), rate =>
            rate < (step++ < 10 ? 2_000 : 1_200) ? StepOutcome.Held : StepOutcome.Missed);

        ShouldContain(search, 1_200);
    }

    /// <summary>The step that decided on a rate is the last at it, which the result shows and the answer is.</summary>
    [Fact]
    public void Search_AsksForEachRateUntilItIsDecided()
    {
        var asked = new List<double>();
        var random = new RandomSource(7);
        Run(new RateSearch(700), rate =>
        {
            asked.Add(rate);
            return rate < 2_000 && random.NextDouble() > 0.25 ? StepOutcome.Held : StepOutcome.Missed;
        });

        // Only what is measured once more for longer comes again later.
        var stretches = asked.Where((rate, place) => place == 0 || !asked[place - 1].Equals(rate)).ToList();
        stretches.GroupBy(rate => rate).Count(again => again.Count() > 1).ShouldBeLessThanOrEqualTo(2);
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
