using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Verdicts;

/// <summary>How far the percentiles of a run can be believed.</summary>
public sealed class Believed
{
    private const double Median = 50;

    private readonly HashSet<PercentileRow> _rows;

    private Believed(HashSet<PercentileRow> rows) => _rows = rows;

    /// <summary>
    /// No percentile up to this one is in doubt, nor has too few samples, in any series that is shown first; null where
    /// there is none.
    /// </summary>
    public double? UpTo { get; private init; }

    /// <summary>Why the headline, or what a threshold asks for, is in doubt; null where it is not.</summary>
    public string? Doubt { get; private init; }

    /// <summary>Why higher percentiles are in doubt; null where they are not, or the headline is.</summary>
    public string? Note { get; private init; }

    /// <summary>Judges every percentile that is shown, and those that thresholds ask for.</summary>
    public static Believed Of(
        InstrumentDoubts machine, IReadOnlyCollection<ShownPercentiles> shown, IEnumerable<Threshold> thresholds)
    {
        var doubted = new HashSet<PercentileRow>(ReferenceEqualityComparer.Instance);
        foreach (var series in shown)
        {
            doubted.UnionWith(series.Percentiles.SkipWhile(row => !machine.IsInDoubt(series, row.Percentile))
                .Where(row => series.ValueAt(row.Percentile) is not null));
        }

        // From the lowest on: what is first in doubt is the reason.
        var first = shown
            .SelectMany(series => series.Percentiles.Where(doubted.Contains), (series, row) => (series, row.Percentile))
            .OrderBy(found => found.Percentile).FirstOrDefault();
        var asked = shown.SelectMany(
            series => thresholds.Where(threshold => threshold.Metric == series.Series),
            (series, threshold) => (series, Percentile: PercentileOf(threshold, series)))
            .Where(found => found.Percentile > 0 && IsInDoubt(found.series, found.Percentile))
            .OrderBy(found => found.Percentile).FirstOrDefault();
        var headline = asked.series is not null && (first.series is null || asked.Percentile < first.Percentile)
            ? asked
            : first;
        var isDoubtful = asked.series is not null || (first.series is not null && first.Percentile <= Median);
        var because = headline.series is null ? null : machine.Because(headline.series, headline.Percentile);
        return new Believed(doubted)
        {
            UpTo = Highest(shown, doubted),
            Doubt = isDoubtful ? because : null,
            Note = isDoubtful ? null : because,
        };

        // What is in doubt is no measure of what lies above it.
        bool IsInDoubt(ShownPercentiles series, double percentile) => machine.IsInDoubt(series, percentile)
            || series.Percentiles.Any(row => row.Percentile < percentile && doubted.Contains(row));
    }

    /// <summary>A summary with its doubts in it.</summary>
    public RunSummary Mark(RunSummary summary) => _rows.Count == 0 ? summary : summary with
    {
        Latencies = [.. summary.Latencies.Select(series => series with { Percentiles = Mark(series.Percentiles) })],
        OneWay = [.. summary.OneWay.Select(pair => pair with { Series = Mark(pair.Series) })],
    };

    /// <summary>A Consumer's own series with its doubts in it.</summary>
    public ServedForward Mark(ServedForward forward) => forward with { Series = Mark(forward.Series) };

    // Mean and maximum are made by the slowest.
    private static double PercentileOf(Threshold threshold, ShownPercentiles series) =>
        threshold.Statistic is not { } asked || asked == ThresholdStatistic.Min || asked == ThresholdStatistic.Count ? 0
        : asked.Percentile
            ?? series.Percentiles.LastOrDefault(row => series.ValueAt(row.Percentile) is not null)?.Percentile ?? 0;

    private IReadOnlyList<OneWaySeries> Mark(IReadOnlyList<OneWaySeries> all) =>
        [.. all.Select(series => series with { Percentiles = Mark(series.Percentiles) })];

    private IReadOnlyList<PercentileRow> Mark(IReadOnlyList<PercentileRow> rows) =>
        rows.Any(_rows.Contains)
            ? [.. rows.Select(row => _rows.Contains(row) ? row with { InDoubt = true } : row)]
            : rows;

    private static double? Highest(IReadOnlyCollection<ShownPercentiles> shown, HashSet<PercentileRow> doubted)
    {
        // One series of which nothing is believed is no less than the others.
        var ends = shown.Where(series => series.Samples > 0)
            .Select(series => series.Percentiles.TakeWhile(row => IsBelieved(series, row)).LastOrDefault()?.Percentile)
            .ToList();
        return ends.Contains(null) ? null : ends.Min();

        bool IsBelieved(ShownPercentiles series, PercentileRow row) =>
            series.ValueAt(row.Percentile) is not null && !doubted.Contains(row);
    }
}
