namespace RedisLatency.Reports.Figures;

/// <summary>
/// By how much two things differ that were measured in pairs: the estimate of Hodges and Lehmann (the median of the
/// means of all two differences, each with itself too), and the interval that belongs to the signed-rank test of
/// Wilcoxon. It asks for nothing but that differences scatter alike to both sides, which the random order of the pairs
/// sees to where there is none.
/// </summary>
public readonly record struct PairedShift(double Estimate, double Lower, double Upper)
{
    /// <param name="differences">The second of each pair less the first.</param>
    /// <param name="error">How often the interval may be wrong.</param>
    /// <returns>Null where there are too few for so small an error.</returns>
    public static PairedShift? Of(IReadOnlyList<double> differences, double error)
    {
        var outside = OutsideOf(differences.Count, error);
        if (outside < 0)
            return null;
        var means = new List<double>(differences.Count * (differences.Count + 1) / 2);
        for (var i = 0; i < differences.Count; i++)
        {
            for (var j = i; j < differences.Count; j++)
                means.Add((differences[i] + differences[j]) / 2);
        }

        means.Sort();
        return new PairedShift(Median(means), means[outside], means[^(outside + 1)]);
    }

    internal static double Median(IReadOnlyList<double> values)
    {
        var sorted = values.Order().ToList();
        return (sorted[(sorted.Count - 1) / 2] + sorted[sorted.Count / 2]) / 2;
    }

    // The greatest rank sum that is met with at most half of the error, or -1: by how many sets of ranks each sum is.
    private static int OutsideOf(int count, double error)
    {
        var sums = new double[(count * (count + 1) / 2) + 1];
        sums[0] = 1;
        for (var rank = 1; rank <= count; rank++)
        {
            for (var sum = sums.Length - 1; sum >= rank; sum--)
                sums[sum] += sums[sum - rank];
        }

        var (outside, share) = (-1, 0.0);
        while (outside + 1 < sums.Length && (share += sums[outside + 1] / Math.Pow(2, count)) <= error / 2)
            outside++;
        return outside;
    }
}
