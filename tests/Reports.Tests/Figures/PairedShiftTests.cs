using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.Tests.Figures;

public class PairedShiftTests
{
    // Critical values of Wilcoxon's signed-rank test, two-sided, as tables have them: 5 % of 10 pairs is 8, of 20 is 52;
    // 1 % of 20 is 37. So many of the sorted means are left out at each end.
    [Theory]
    [InlineData(6, 0.05, 0)]
    [InlineData(10, 0.05, 8)]
    [InlineData(20, 0.05, 52)]
    [InlineData(20, 0.01, 37)]
    public void Interval_LeavesOutAsManyMeansAsTheTableSays(int pairs, double error, int outside)
    {
        double[] differences = [.. Enumerable.Range(1, pairs).Select(pair => (double)(pair * pair))];
        var means = Enumerable.Range(0, pairs)
            .SelectMany(i => Enumerable.Range(i, pairs - i).Select(j => (differences[i] + differences[j]) / 2))
            .Order().ToList();

        var shift = PairedShift.Of(differences, error).ShouldNotBeNull();

        shift.Lower.ShouldBe(means[outside]);
        shift.Upper.ShouldBe(means[means.Count - 1 - outside]);
    }

    [Fact]
    public void Interval_OfTooFewPairs_IsNotKnown() => PairedShift.Of([1, 2, 3, 4, 5], 0.05).ShouldBeNull();

    [Theory]
    [InlineData(0)]
    [InlineData(0.5)]
    public void Interval_CoversThePlantedShift_AsOftenAsItSays(double planted)
    {
        const int Runs = 2_000;
        var random = new Random(7);
        var covered = 0;
        for (var run = 0; run < Runs; run++)
        {
            var shift = PairedShift.Of(
                [.. Enumerable.Range(0, 12).Select(_ => planted + random.NextDouble() - random.NextDouble())], 0.05)!;
            if (shift.Value.Lower <= planted && planted <= shift.Value.Upper)
                covered++;
        }

        // Three standard errors below what is promised.
        ((double)covered / Runs).ShouldBeGreaterThan(0.95 - (3 * Math.Sqrt(0.95 * 0.05 / Runs)));
    }

    [Theory]
    [InlineData(1.0, ComparisonOutcome.NoDifferenceShown)]
    [InlineData(1.3, ComparisonOutcome.Worse)]
    [InlineData(0.7, ComparisonOutcome.Better)]
    public void Comparison_FindsThePlantedRatio(double ratio, ComparisonOutcome outcome)
    {
        var comparison = Compare(ratio, missingOfEach: 0);

        comparison.Percentiles.Select(row => row.Percentile).ShouldBe([50, 90, 99]);
        comparison.Percentiles.ShouldAllBe(row => row.Outcome == outcome);
        comparison.Percentiles.ShouldAllBe(row => row.RatioLower <= ratio * 1.01 && row.RatioUpper >= ratio * 0.99);
    }

    // Nine of a thousand more may lie above the 99th percentile, so that it could be any of those that came.
    [Fact]
    public void Comparison_OfTurnsThatLostSome_LeavesOutWhatTheyCouldChange() =>
        Compare(1.3, missingOfEach: 50).Percentiles.Select(row => row.Percentile).ShouldBe([50, 90]);

    private static TargetComparison Compare(double ratio, int missingOfEach)
    {
        var (random, turns) = (new Random(3), new ComparedTurns());
        LatencyHistogram[] totals = [LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency()];
        for (var turn = 1; turn <= 12; turn++)
        {
            for (var place = 0; place < 2; place++)
            {
                for (var sample = 0; sample < 1_000; sample++)
                    totals[place].Record((long)(1e5 * (1 + random.NextDouble()) * (place == 0 ? 1 : ratio)));
                turns.Add(place, totals[place], turn * (1_000L + missingOfEach));
            }
        }

        return turns.Compare("a", "b", "rtt").ShouldNotBeNull();
    }
}
