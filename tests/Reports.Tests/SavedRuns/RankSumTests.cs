using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Tests.SavedRuns;

/// <summary>The probability of the rank-sum test is that of all ways to deal the values out, ties or not.</summary>
public class RankSumTests
{
    [Fact]
    public void Probability_IsTheShareOfAllDeals_ThatPartTheGroupsAtLeastSoFar()
    {
        var random = new Random(5);
        for (var trial = 0; trial < 300; trial++)
        {
            // Of one to nine different values: from nothing but ties to hardly any.
            var different = 1 + (trial % 9);
            var (one, other) = (Values(1 + random.Next(6)), Values(1 + random.Next(6)));

            RankSum.Probability(one, other).ShouldBe(OfAllDeals(one, other), 1e-9);
            RankSum.Probability(other, one).ShouldBe(OfAllDeals(one, other), 1e-9);

            List<double> Values(int count) =>
                [.. Enumerable.Range(0, count).Select(_ => (double)random.Next(different))];
        }
    }

    [Fact]
    public void Probability_OfRepeatedPercentiles_IsExact()
    {
        // Of the 252 ways all but those that part 4 and 1 the other way or farther.
        double[] low = [63, 63, 63, 63, 71], high = [63, 71, 71, 71, 71];

        RankSum.Probability(low, high).ShouldBe(52 / 252.0, 1e-9);
    }

    [Fact]
    public void Probability_OfManyValues_MeetsThatOfTheNormalDistribution()
    {
        List<double> one = [.. Enumerable.Range(0, 50).Select(i => (double)(i % 7))];
        List<double> other = [.. Enumerable.Range(0, 50).Select(i => (i % 7) + (i % 5 == 0 ? 2.0 : 0))];

        // One more of each, and the count gives way.
        RankSum.Probability(one, other).ShouldBe(RankSum.Probability([.. one, 3], [.. other, 3]), 0.02);
        RankSum.Probability([.. one, .. one], [.. one, .. one]).ShouldBe(1, 1e-6);
    }

    private static double OfAllDeals(List<double> one, List<double> other)
    {
        List<double> all = [.. one, .. other];
        var (middle, far) = (one.Count * other.Count / 2.0, 0.0);
        var (deals, atLeast) = (0, 0);
        far = Math.Abs(Above(one, other) - middle);
        for (var deal = 0; deal < 1 << all.Count; deal++)
        {
            if (int.PopCount(deal) != one.Count)
                continue;
            deals++;
            var (first, second) = (all.Where((_, i) => IsFirst(deal, i)), all.Where((_, i) => !IsFirst(deal, i)));
            atLeast += Math.Abs(Above([.. first], [.. second]) - middle) >= far - 1e-9 ? 1 : 0;
        }

        return (double)atLeast / deals;
    }

    private static bool IsFirst(int deal, int place) => (deal >> place & 1) == 1;

    // Mann's and Whitney's statistic: a tie counts half.
    private static double Above(List<double> one, List<double> other) =>
        one.Sum(a => other.Sum(b => a < b ? 1 : a == b ? 0.5 : 0));
}
