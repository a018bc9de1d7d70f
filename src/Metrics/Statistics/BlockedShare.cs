namespace RedisLatency.Metrics.Statistics;

/// <summary>
/// How far the share of samples at or below a percentile may be off, as its spread over consecutive blocks of the run
/// says it. Samples need not be independent, nor have any distribution.
/// </summary>
/// <remarks>
/// <para>
/// The long-run variance is estimated with equally weighted cosines (Müller, "HAC corrections for strongly
/// autocorrelated time series", 2014; Lazarus, Lewis, Stock, Watson, "HAR inference: recommendations for practice",
/// 2018): the eight slowest waves of the blocks' deviations, of which each alone estimates it. Their mean has a
/// t distribution of eight degrees. Batch means of nine batches would have as many, but are biased by neighbours'
/// likeness in the first order, where these are in the second. Ranks from shares: Woodruff (1952).
/// </para>
/// <para>
/// Where a few bursts make the variance, it is known less well: a variance has two degrees of freedom divided by its
/// own relative variance (Satterthwaite, 1946), to which excess kurtosis adds (Box, 1953). Runs are not refused for
/// them: what would be left are those in which bursts happened to be few, whose intervals are too narrow
/// (docs/methodology.md).
/// </para>
/// </remarks>
internal static class BlockedShare
{
    /// <summary>Fewer blocks say too little of how long neighbours are alike.</summary>
    internal const int FewestBlocks = 40;

    private const int Waves = 8;

    // The normal quantile, 97.5 %; of F with one and many, 99 %.
    private const double Normal = 1.959963984540054;
    private const double Trend = 7;

    // Fewer independent samples on either side say too little of how independent they are.
    private const double FewIndependent = 50;

    // The run must be this many times as long as its swings, if they fade exponentially.
    private const double FewestSwings = 60;

    // Of samples as alike as those around the median. With fewer, the truth may lie beyond the largest of them.
    private const double FewestBeyond = 1;

    private const double MostLikeness = 0.97;

    // The kurtosis of few bursts, as of few samples at all, is estimated too low: of five by about so much.
    private const double KurtosisBias = 3;

    /// <summary>From where to where the rank of the true percentile lies, as seen from the samples' own.</summary>
    /// <param name="atOrBelow">Of each block, how many samples lie at or below it.</param>
    /// <param name="atOrBelowMedian">The same of the median, which shows what noise hides in the tail.</param>
    /// <param name="all">Of each block, how many there are.</param>
    /// <param name="missing">Samples without a value, of which nobody knows when; as if all at once.</param>
    /// <param name="unknown">Why it is not known, or null.</param>
    internal static (double Lower, double Upper) Interval(
        ReadOnlySpan<double> atOrBelow,
        ReadOnlySpan<double> atOrBelowMedian,
        ReadOnlySpan<double> all,
        double missing,
        out UnknownInterval? unknown)
    {
        unknown = UnknownInterval.TooFewBlocks;
        if (all.Length < FewestBlocks)
            return default;
        var (below, count) = (Sum(atOrBelow), Sum(all));
        Span<double> deviations = stackalloc double[all.Length];
        Deviate(deviations, atOrBelow, all);
        var squares = SumOfPowers(deviations, 2);
        var trend = TrendOf(deviations);
        var explained = trend * trend * SumOfSquaredTimes(all.Length);
        var likeness = Likeness(deviations, squares, trend);
        var inflation = InflationBy(likeness);
        if (explained > Trend * inflation * (squares - explained) / (all.Length - 2))
        {
            unknown = UnknownInterval.NotStationary;
            return default;
        }

        Span<double> median = stackalloc double[all.Length];
        Deviate(median, atOrBelowMedian, all);
        var medianSquares = SumOfPowers(median, 2);
        var share = below / (count + missing);
        var independentInAll = count * count / 4 / Math.Max(VarianceOfSum(median), medianSquares);
        unknown = Swings(deviations, squares) || Swings(median, medianSquares) ? UnknownInterval.Swings
            : Math.Min(share, 1 - share) * independentInAll < FewestBeyond ? UnknownInterval.TooFewIndependent
            : null;

        // A burst that spans blocks counts as one: third and fourth moments of the sum grow by more than its variance.
        var bursts = squares > 0 ? (SumOfPowers(deviations, 4) / (squares * squares)) - (3.0 / all.Length) : 0;
        bursts = Math.Clamp(KurtosisBias * inflation * bursts, 0, 1);
        var variance = VarianceOfSum(deviations) + (missing * missing);
        var simple = (count + missing) * share * (1 - share);
        var independent = Math.Min(share, 1 - share) * (count + missing) * simple
            / Math.Max(variance, squares * inflation);
        if (independent < FewIndependent || bursts > 2.0 / Waves)
        {
            // The likeness is known to one over the root of the blocks (Bartlett, 1946).
            var error = Math.Sqrt((1 - (likeness * likeness)) / all.Length);
            variance = Math.Max(variance, squares * InflationBy(likeness + (2 * error)));
        }

        // Rare bursts make the share skewed: fewer of them than usual are likelier than more (Johnson, "Modified
        // t tests and confidence intervals for asymmetrical populations", 1978).
        var skewness = squares > 0
            ? Math.Sqrt(inflation) * SumOfPowers(deviations, 3) / Math.Pow(squares, 1.5)
            : 0;
        var shift = skewness * ((1 / 6.0) + (Normal * Normal / 3));
        var (student, spread) = (Student(2 / ((2.0 / Waves) + bursts)), Math.Sqrt(variance));
        return (-(student + shift) * spread, (student - shift) * spread);
    }

    // Abramowitz and Stegun, 26.7.5.
    private static double Student(double degrees)
    {
        const double Z2 = Normal * Normal;
        return Normal * (1 + ((Z2 + 1) / (4 * degrees))
            + (((5 * Z2 * Z2) + (16 * Z2) + 3) / (96 * degrees * degrees))
            + (((3 * Z2 * Z2 * Z2) + (19 * Z2 * Z2) + (17 * Z2) - 15) / (384 * degrees * degrees * degrees)));
    }

    private static void Deviate(Span<double> deviations, ReadOnlySpan<double> atOrBelow, ReadOnlySpan<double> all)
    {
        var share = Sum(atOrBelow) / Sum(all);
        for (var i = 0; i < all.Length; i++)
            deviations[i] = atOrBelow[i] - (share * all[i]);
    }

    private static double VarianceOfSum(ReadOnlySpan<double> deviations)
    {
        var sum = 0.0;
        for (var wave = 1; wave <= Waves; wave++)
        {
            var amplitude = 0.0;
            for (var i = 0; i < deviations.Length; i++)
                amplitude += deviations[i] * Math.Cos(Math.PI * wave * (i + 0.5) / deviations.Length);
            sum += 2 * amplitude * amplitude;
        }

        return sum / Waves;
    }

    // How alike neighbours are once the trend is removed, corrected for its bias towards less (Kendall, 1954).
    private static double Likeness(ReadOnlySpan<double> deviations, double squares, double trend)
    {
        Span<double> rest = stackalloc double[deviations.Length];
        for (var i = 0; i < rest.Length; i++)
            rest[i] = deviations[i] - (trend * TimeOf(i, rest.Length));
        var left = squares - (trend * trend * SumOfSquaredTimes(rest.Length));
        var likeness = Neighbours(rest, left);
        return Math.Clamp(likeness + ((1 + (3 * likeness)) / rest.Length), 0, MostLikeness);
    }

    private static double InflationBy(double likeness) =>
        likeness < MostLikeness ? (1 + likeness) / (1 - likeness) : (1 + MostLikeness) / (1 - MostLikeness);

    // More than the means of blocks of swings that fade exponentially, in a run of so many times their length.
    private static bool Swings(ReadOnlySpan<double> deviations, double squares)
    {
        var length = FewestSwings / deviations.Length;
        var faded = 1 - Math.Exp(-length);
        return Neighbours(deviations, squares) > faded * faded / (2 * (length - faded));
    }

    private static double Neighbours(ReadOnlySpan<double> deviations, double squares)
    {
        var sum = 0.0;
        for (var i = 1; i < deviations.Length; i++)
            sum += deviations[i] * deviations[i - 1];
        return squares > 0 ? sum / squares : 0;
    }

    private static double TrendOf(ReadOnlySpan<double> deviations)
    {
        var sum = 0.0;
        for (var i = 0; i < deviations.Length; i++)
            sum += deviations[i] * TimeOf(i, deviations.Length);
        return sum / SumOfSquaredTimes(deviations.Length);
    }

    private static double TimeOf(int block, int blocks) => block - ((blocks - 1) / 2.0);

    private static double SumOfSquaredTimes(int blocks) => blocks * ((double)blocks * blocks - 1) / 12;

    private static double SumOfPowers(ReadOnlySpan<double> values, int power)
    {
        var sum = 0.0;
        foreach (var value in values)
            sum += Math.Pow(value, power);
        return sum;
    }

    private static double Sum(ReadOnlySpan<double> values)
    {
        var sum = 0.0;
        foreach (var value in values)
            sum += value;
        return sum;
    }
}
