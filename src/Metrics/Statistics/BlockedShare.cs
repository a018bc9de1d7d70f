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
/// <para>What it cannot hold for is refused; the bounds are those for which the simulated coverage stays near 95 %
/// (docs/methodology.md).</para>
/// </remarks>
internal static class BlockedShare
{
    /// <summary>Fewer blocks say too little of how long neighbours are alike.</summary>
    internal const int FewestBlocks = 40;

    private const int Waves = 8;

    // Of Student's t with eight degrees of freedom, 97.5 %; of F with one and many, 99 %.
    private const double Student = 2.306004135204166;
    private const double Trend = 7;

    // So many independent samples must lie on either side, or the share is too skewed for any of this.
    private const double FewestIndependent = 25;
    private const double Ample = 2 * FewestIndependent;

    // The run must be this many times as long as its swings, if they fade exponentially.
    private const double FewestSwings = 120;

    // Of the sum of all blocks. What is less moves the interval (Johnson,
    // "Modified t tests and confidence intervals for asymmetrical populations", 1978): where bursts are rare, more of
    // them are likelier than fewer.
    private const double MostSkewed = 0.2;

    /// <summary>
    /// From where to where the rank of the true percentile lies, as seen from that of the samples' own.
    /// </summary>
    /// <param name="atOrBelow">Of each block, how many samples lie at or below it.</param>
    /// <param name="all">Of each block, how many there are.</param>
    /// <param name="missing">Samples without a value, of which nobody knows when; as if all at once.</param>
    /// <param name="unknown">Why it is not known, or null.</param>
    internal static (double Lower, double Upper) Interval(
        ReadOnlySpan<double> atOrBelow, ReadOnlySpan<double> all, double missing, out UnknownInterval? unknown)
    {
        unknown = UnknownInterval.TooFewBlocks;
        if (all.Length < FewestBlocks)
            return default;
        var (below, count) = (Sum(atOrBelow), Sum(all));
        Span<double> deviations = stackalloc double[all.Length];
        for (var i = 0; i < all.Length; i++)
            deviations[i] = atOrBelow[i] - (below / count * all[i]);
        var squares = SumOfSquares(deviations);
        var trend = TrendOf(deviations);
        var explained = trend * trend * SumOfSquaredTimes(all.Length);
        var likeness = Likeness(deviations, squares, trend);
        var inflation = (1 + likeness) / (1 - likeness);
        if (explained > Trend * inflation * (squares - explained) / (all.Length - 2))
        {
            unknown = UnknownInterval.NotStationary;
            return default;
        }

        var variance = VarianceOfSum(deviations) + (missing * missing);
        var share = below / (count + missing);
        var simple = (count + missing) * share * (1 - share);
        var fewest = Math.Min(share, 1 - share) * (count + missing) * simple;
        var larger = Math.Max(variance, squares * inflation);
        var independent = fewest / larger;
        var skewness = squares > 0 ? SumOfCubes(deviations) / Math.Pow(squares, 1.5) : 0;
        unknown = independent < FewestIndependent || Math.Abs(skewness) > MostSkewed
            ? UnknownInterval.TooFewIndependent
            : Neighbours(deviations, squares) > MostLikeness(all.Length) ? UnknownInterval.Swings
            : null;
        // Near the bound it is mostly the runs with a variance that happens to be small that come to here.
        var error = Math.Sqrt(independent < Ample ? larger : variance);
        var shift = skewness * ((1 / 6.0) + (Student * Student / 3));
        return (-(Student + shift) * error, (Student - shift) * error);
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
        return Math.Clamp(likeness + ((1 + (3 * likeness)) / rest.Length), 0, 0.9);
    }

    // That of the means of blocks of swings that fade exponentially, in a run of so many times their length.
    private static double MostLikeness(int blocks)
    {
        var length = FewestSwings / blocks;
        var faded = 1 - Math.Exp(-length);
        return faded * faded / (2 * (length - faded));
    }

    private static double Neighbours(ReadOnlySpan<double> deviations, double squares)
    {
        var sum = 0.0;
        for (var i = 1; i < deviations.Length; i++)
            sum += deviations[i] * deviations[i - 1];
        return squares > 0 ? sum / squares : 0;
    }

    private static double SumOfCubes(ReadOnlySpan<double> values)
    {
        var sum = 0.0;
        foreach (var value in values)
            sum += value * value * value;
        return sum;
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

    private static double SumOfSquares(ReadOnlySpan<double> values)
    {
        var sum = 0.0;
        foreach (var value in values)
            sum += value * value;
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

/// <summary>Why a percentile has no interval.</summary>
public enum UnknownInterval
{
    /// <summary>No blocks were kept of this series.</summary>
    NoBlocks,

    /// <summary>The run was too short for as many blocks as are needed.</summary>
    TooFewBlocks,

    /// <summary>Too few samples beyond the percentile are independent: they come in bursts.</summary>
    TooFewIndependent,

    /// <summary>Latency swings so slowly that the run has too few of its swings.</summary>
    Swings,

    /// <summary>Latency rose or fell over the run.</summary>
    NotStationary,

    /// <summary>It ends among samples that never got a value.</summary>
    MissingSamples,
}
