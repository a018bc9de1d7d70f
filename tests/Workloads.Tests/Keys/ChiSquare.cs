namespace RedisLatency.Workloads.Tests.Keys;

/// <summary>
/// Pearson's test of counts against exact probabilities; bins are joined until ten draws are expected.
/// </summary>
internal static class ChiSquare
{
    /// <summary>
    /// How many standard deviations the counts lie from what chance gives (Wilson and Hilferty's transformation): far
    /// above 0 where they follow another distribution, far below where they are too even to be random.
    /// </summary>
    public static double Deviation(IReadOnlyList<long> counts, Func<int, double> probability)
    {
        var draws = (double)counts.Sum();
        double statistic = 0, expected = 0, seen = 0, total = 0;
        var bins = 0;
        for (var bin = 0; bin < counts.Count; bin++)
        {
            total += probability(bin);
            expected += probability(bin) * draws;
            seen += counts[bin];
            if (expected < 10)
                continue;
            statistic += (seen - expected) * (seen - expected) / expected;
            expected = seen = 0;
            bins++;
        }

        total.ShouldBe(1, 1e-6);
        bins.ShouldBeGreaterThan(1);
        var spread = 2.0 / (9 * (bins - 1));
        return (Math.Cbrt(statistic / (bins - 1)) - (1 - spread)) / Math.Sqrt(spread);
    }

    /// <summary>The counts are what chance gives once in ten thousand times or more often.</summary>
    public static void ShouldFollow(IReadOnlyList<long> counts, Func<int, double> probability) =>
        Deviation(counts, probability).ShouldBeInRange(-3.9, 3.9);
}
