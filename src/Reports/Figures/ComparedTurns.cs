using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Reports.Figures;

/// <summary>Collects the percentiles of each turn of two servers, and compares them.</summary>
public sealed class ComparedTurns
{
    private const double Error = 0.05;

    private static readonly double[] Percentiles = [50, 90, 99, 99.9];

    private readonly List<double?[]>[] _turns = [[], []];
    private readonly LatencyHistogram[] _all = [LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency()];
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
    public void Add(int place, LatencyHistogram turn)
    {
        _turns[place].Add([.. Percentiles.Select(percentile => (double?)PercentileRow.Of(turn, percentile).Value)]);
        _all[place].Add(turn);
    }

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
            BaseNs = Whole(0) ?? PairedShift.Median([.. pairs.Select(pair => pair.Base)]),
            OtherNs = Whole(1) ?? PairedShift.Median([.. pairs.Select(pair => pair.Other)]),
            DifferenceNs = difference.Estimate,
            DifferenceLowerNs = difference.Lower,
            DifferenceUpperNs = difference.Upper,
            Ratio = Math.Exp(ratio.Estimate),
            RatioLower = Math.Exp(ratio.Lower),
            RatioUpper = Math.Exp(ratio.Upper),
        };

        // Of all turns together, as the record, its thresholds and RESULT have it.
        double? Whole(int place) => PercentileRow.Of(_all[place], Percentiles[row]).Value;
    }
}
