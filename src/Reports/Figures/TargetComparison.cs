using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Reports.Figures;

/// <summary>
/// How one server differs from another by what was measured of both in turns. A positive difference and a ratio above
/// one mean that the other is slower.
/// </summary>
public sealed record TargetComparison
{
    /// <summary>Against which.</summary>
    public required string Base { get; init; }

    /// <summary>Which.</summary>
    public required string Other { get; init; }

    /// <summary>The series whose percentiles are compared.</summary>
    public required string Series { get; init; }

    /// <summary>How many turns each had; the intervals are over these, not over samples.</summary>
    public required int Turns { get; init; }

    /// <summary>What is known of each percentile; those that a turn has too few samples for are left out.</summary>
    public IReadOnlyList<ComparedPercentile> Percentiles { get; init; } = [];
}

/// <summary>
/// A percentile of both, over the turns. The intervals of all rows hold together with 95 %.
/// </summary>
public sealed record ComparedPercentile
{
    /// <summary>Which percentile.</summary>
    public required double Percentile { get; init; }

    /// <summary>The median over the turns of the first, in nanoseconds.</summary>
    public required double BaseNs { get; init; }

    /// <summary>The median over the turns of the other.</summary>
    public required double OtherNs { get; init; }

    /// <summary>How much longer the other takes, in nanoseconds.</summary>
    public required double DifferenceNs { get; init; }

    /// <summary>Where the interval of the difference begins.</summary>
    public required double DifferenceLowerNs { get; init; }

    /// <summary>Where it ends.</summary>
    public required double DifferenceUpperNs { get; init; }

    /// <summary>How many times as long the other takes.</summary>
    public required double Ratio { get; init; }

    /// <summary>Where the interval of the ratio begins.</summary>
    public required double RatioLower { get; init; }

    /// <summary>Where it ends.</summary>
    public required double RatioUpper { get; init; }

    /// <summary>What that comes to.</summary>
    public ComparisonOutcome Outcome => RatioLower > 1 ? ComparisonOutcome.Worse
        : RatioUpper < 1 ? ComparisonOutcome.Better
        : ComparisonOutcome.NoDifferenceShown;
}

/// <summary>How the other is, against the first.</summary>
public enum ComparisonOutcome
{
    /// <summary>One is one of the values that the ratio may have.</summary>
    NoDifferenceShown,

    /// <summary>It is quicker.</summary>
    Better,

    /// <summary>It is slower.</summary>
    Worse,
}

/// <summary>Collects the percentiles of each turn of two servers, and compares them.</summary>
public sealed class ComparedTurns
{
    private const double Error = 0.05;

    private static readonly double[] Percentiles = [50, 90, 99, 99.9];

    private readonly List<double?[]>[] _turns = [[], []];
    private readonly long[] _due = new long[2];
    private readonly LatencyHistogram[] _before = [LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency()];

    /// <summary>Takes a turn of the first (0) or the other (1).</summary>
    /// <param name="place">Whose it was.</param>
    /// <param name="total">What was recorded of it so far, all turns together.</param>
    /// <param name="due">How many samples there would be so far had nothing been lost.</param>
    public void Add(int place, LatencyHistogram total, long due)
    {
        var turn = total.Copy();
        turn.Subtract(_before[place]);
        turn.SetMissing(Math.Max(0, due - _due[place] - turn.TotalCount));
        (_before[place], _due[place]) = (total.Copy(), due);
        Add(place, turn);
    }

    /// <summary>Takes a turn of the first (0) or the other (1): what was recorded in it, and what is missing.</summary>
    public void Add(int place, LatencyHistogram turn) =>
        _turns[place].Add([.. Percentiles.Select(percentile => (double?)PercentileRow.Of(turn, percentile).Value)]);

    /// <summary>Compares them by what both have; null where that is nothing.</summary>
    public TargetComparison? Compare(string first, string other, string series)
    {
        var turns = Math.Min(_turns[0].Count, _turns[1].Count);
        if (turns == 0)
            return null;
        var known = Enumerable.Range(0, Percentiles.Length)
            .Where(row => _turns.All(all => all.Take(turns).All(turn => turn[row] is > 0))).ToList();
        return new TargetComparison
        {
            Base = first,
            Other = other,
            Series = series,
            Turns = turns,
            Percentiles = [.. known.Select(row => RowOf(row, turns, Error / known.Count)).OfType<ComparedPercentile>()],
        };
    }

    private ComparedPercentile? RowOf(int row, int turns, double error)
    {
        var pairs = Enumerable.Range(0, turns)
            .Select(turn => (Base: _turns[0][turn][row]!.Value, Other: _turns[1][turn][row]!.Value)).ToList();
        if (PairedShift.Of([.. pairs.Select(pair => pair.Other - pair.Base)], error) is not { } difference
            || PairedShift.Of([.. pairs.Select(pair => Math.Log(pair.Other / pair.Base))], error) is not { } ratio)
            return null;
        return new ComparedPercentile
        {
            Percentile = Percentiles[row],
            BaseNs = PairedShift.Median([.. pairs.Select(pair => pair.Base)]),
            OtherNs = PairedShift.Median([.. pairs.Select(pair => pair.Other)]),
            DifferenceNs = difference.Estimate,
            DifferenceLowerNs = difference.Lower,
            DifferenceUpperNs = difference.Upper,
            Ratio = Math.Exp(ratio.Estimate),
            RatioLower = Math.Exp(ratio.Lower),
            RatioUpper = Math.Exp(ratio.Upper),
        };
    }
}
