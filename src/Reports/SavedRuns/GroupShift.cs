using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.SavedRuns;

/// <summary>
/// By how much the values of one group exceed those of another: the estimate of Hodges and Lehmann (the median of all
/// differences between one of either), the interval that belongs to the rank-sum test of Mann and Whitney, and the
/// exact probability of that test, which is of all ways to deal the values out to the groups. It asks for nothing but
/// that both scatter alike.
/// </summary>
public readonly record struct GroupShift(double Estimate, double Lower, double Upper, double Probability)
{
    /// <param name="before">The first group's values.</param>
    /// <param name="after">The second group's.</param>
    /// <param name="error">How often the interval may be wrong.</param>
    /// <returns>Null where there are too few for so small an error.</returns>
    public static GroupShift? Of(IReadOnlyList<double> before, IReadOnlyList<double> after, double error)
    {
        var shares = SharesOf(before.Count, after.Count);
        var outside = OutsideOf(shares, error);
        if (outside < 0)
            return null;
        var differences = after.SelectMany(later => before.Select(earlier => later - earlier)).Order().ToList();
        // A tie counts half, and what is half counts against a difference.
        var above = differences.Sum(difference => difference > 0 ? 1.0 : difference < 0 ? 0 : 0.5);
        var least = (int)Math.Ceiling(Math.Min(above, differences.Count - above));
        return new GroupShift(
            PairedShift.Median(differences), differences[outside], differences[^(outside + 1)],
            Math.Min(1, 2 * shares.Take(least + 1).Sum()));
    }

    /// <summary>How many values each group needs for an interval that is wrong so seldom.</summary>
    public static int CountFor(double error)
    {
        var count = 1;
        while (OutsideOf(SharesOf(count, count), error) < 0)
            count++;
        return count;
    }

    // The greatest statistic that is met with at most half of the error, or -1.
    private static int OutsideOf(double[] shares, double error)
    {
        var (outside, share) = (-1, 0.0);
        while (outside + 1 < shares.Length && (share += shares[outside + 1]) <= error / 2)
            outside++;
        return outside;
    }

    // Of how large a share of all ways to deal out the ranks the statistic of Mann and Whitney is 0, 1, 2 and so on:
    // the coefficients of the Gaussian binomial.
    private static double[] SharesOf(int first, int second)
    {
        var ways = new double[(first * second) + 1];
        ways[0] = 1;
        for (var i = 1; i <= first; i++)
        {
            for (var place = ways.Length - 1; place >= second + i; place--)
                ways[place] -= ways[place - second - i];
            for (var place = i; place < ways.Length; place++)
                ways[place] += ways[place - i];
        }

        var all = ways.Sum();
        return [.. ways.Select(way => way / all)];
    }
}
