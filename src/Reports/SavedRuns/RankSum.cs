namespace RedisLatency.Reports.SavedRuns;

/// <summary>
/// The rank-sum test of Mann and Whitney (Wilcoxon) with mean ranks of what is equal, by counting all ways to deal the
/// values out to the two groups.
/// </summary>
internal static class RankSum
{
    // Beyond it the count takes seconds, and three digits are those of the normal distribution.
    private const int MostCounted = 100;

    /// <summary>How often chance alone parts two groups at least so far, to either side.</summary>
    public static double Probability(IReadOnlyList<double> one, IReadOnlyList<double> other)
    {
        if (one.Count > other.Count)
            (one, other) = (other, one);
        var all = one.Concat(other).Order().ToList();
        // Twice the rank is a whole number, also where it is the mean of equal ones.
        var ranks = all.GroupBy(value => value).Select(same => (Value: same.Key, Count: same.Count())).ToList();
        var (twice, below) = (new Dictionary<double, int>(), 0);
        foreach (var (value, count) in ranks)
        {
            twice[value] = (2 * below) + count + 1;
            below += count;
        }

        var sum = one.Sum(value => twice[value]);
        var middle = one.Count * (all.Count + 1);
        return all.Count <= MostCounted
            ? Counted([.. all.Select(value => twice[value])], one.Count, Math.Abs(sum - middle))
            : Normal(ranks, one.Count, other.Count, Math.Abs(sum - middle) / 2.0);
    }

    // Of how large a share of all ways to take so many of the ranks their sum is at least so far from the middle.
    private static double Counted(int[] ranks, int count, int distance)
    {
        var middle = count * (ranks.Length + 1);
        // By how many are taken and by their sum. Shares, as the counts are larger than a number is exact for.
        var shares = new double[count + 1][];
        for (var taken = 0; taken <= count; taken++)
            shares[taken] = new double[(2 * middle) + 1];
        shares[0][0] = 1;
        for (var seen = 0; seen < ranks.Length; seen++)
        {
            for (var taken = Math.Min(seen + 1, count); taken >= 1; taken--)
            {
                // The last of those seen is among those taken in this share of all ways.
                var share = (double)taken / (seen + 1);
                var (with, without) = (shares[taken - 1], shares[taken]);
                for (var sum = without.Length - 1; sum >= 0; sum--)
                {
                    without[sum] = (without[sum] * (1 - share))
                        + (sum >= ranks[seen] ? with[sum - ranks[seen]] * share : 0);
                }
            }
        }

        return Math.Min(1, shares[count].Index().Where(one => Math.Abs(one.Index - middle) >= distance)
            .Sum(one => one.Item));
    }

    private static double Normal(
        IEnumerable<(double Value, int Count)> ranks, int first, int second, double distance)
    {
        double all = first + second;
        var ties = ranks.Sum(rank => (Math.Pow(rank.Count, 3) - rank.Count) / (all * (all - 1)));
        var variance = first * second / 12.0 * (all + 1 - ties);
        return variance <= 0 ? 1 : Math.Min(1, Erfc(Math.Max(0, distance - 0.5) / Math.Sqrt(2 * variance)));
    }

    // Abramowitz and Stegun 7.1.26, to 1.5e-7.
    private static double Erfc(double x)
    {
        var t = 1 / (1 + (0.3275911 * x));
        return t * (0.254829592 + (t * (-0.284496736 + (t * (1.421413741 + (t * (-1.453152027 + (t * 1.061405429))))))))
            * Math.Exp(-x * x);
    }
}
