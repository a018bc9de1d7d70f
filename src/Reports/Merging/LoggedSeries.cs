using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Merging;

/// <summary>
/// The series of interval logs, one run at a time, held against what its record says of them: where count, maximum or
/// a percentile differ by more than a histogram's step, one of the two is damaged. Its histograms serve all runs.
/// </summary>
internal sealed class LoggedSeries
{
    private readonly Dictionary<string, LatencyHistogram> _totals = new(StringComparer.Ordinal);
    private readonly List<RecordedSeries> _recorded = [];
    private readonly HashSet<string> _wanted = new(StringComparer.Ordinal);

    /// <summary>Of the run with this record, which is none of a run that was killed.</summary>
    public void Begin(RunRecord? record)
    {
        _recorded.Clear();
        _wanted.Clear();
        foreach (var total in _totals.Values)
            total.Reset();
        if (record is null)
            return;
        for (var place = 0; place < record.Summaries.Count; place++)
        {
            var (mark, summary) = (RecordMetrics.MarkOf(record, place), record.Summaries[place]);
            _recorded.AddRange(summary.Latencies.Where(series => !MergedSummary.IsSum(series.Name))
                .Select(series => new RecordedSeries(
                    mark + series.Name, series.Count, series.Missing ?? 0, series.Max, series.Percentiles)));
            for (var pair = 0; pair < summary.OneWay.Count; pair++)
            {
                var own = MergedPair.MarkOf(mark, pair);
                _recorded.AddRange(summary.OneWay[pair].Series.Select(series => Of(own, series)));
            }
        }

        _recorded.AddRange(record.Forward?.Series.Select(series => Of(string.Empty, series)) ?? []);
        _wanted.UnionWith(_recorded.Select(series => series.Tag));
    }

    /// <summary>Adds an interval of a tag.</summary>
    public void Add(string tag, LatencyHistogram values)
    {
        if (!_wanted.Contains(tag) && !(Measured.OfNegatives(tag) is { } positives && _wanted.Contains(positives)))
            return;
        if (!_totals.TryGetValue(tag, out var total))
            _totals.Add(tag, total = LatencyHistogram.ForLatency());
        total.Add(values);
    }

    /// <summary>Where the log and the record contradict each other; null where they do not.</summary>
    public string? Problem() => _recorded.Select(Problem).FirstOrDefault(problem => problem is not null);

    private static RecordedSeries Of(string mark, OneWaySeries series) =>
        new(mark + series.Name, series.Count, series.Missing, series.Max, series.Percentiles);

    private string? Problem(RecordedSeries said)
    {
        var values = _totals.GetValueOrDefault(said.Tag);
        var negatives = _totals.GetValueOrDefault(Measured.NegativesOf(said.Tag));
        var logged = (values?.TotalCount ?? 0) + (negatives?.TotalCount ?? 0);
        if (said.Count != logged)
        {
            return $"the interval log has {Quantity.Count(logged)} values of {said.Tag}, the record "
                + $"{Quantity.Count(said.Count)}: it is truncated, or of another run";
        }

        values ??= LatencyHistogram.ForLatency();
        values.SetMissing(said.Missing);
        var signed = negatives is { TotalCount: > 0 } ? new SignedLatencyHistogram(values, negatives) : null;
        var figures = said.Percentiles
            .Select(row => (Name: $"p{row.Percentile:0.###}", row.Value, Logged: signed is null
                ? PercentileRow.Of(values, row.Percentile).Value
                : PercentileRow.Of(signed, row.Percentile).Value))
            .Prepend((Name: "maximum", Value: said.Max, Logged: signed?.Max ?? values.Max));
        foreach (var (name, recorded, own) in figures)
        {
            if (recorded is { } known && (own is not { } found || !IsOneStep(values, known, found)))
            {
                return $"the {name} of {said.Tag} is {Shown(own)} in the interval log, {Shown(known)} in the record: "
                    + "one of them is damaged, or of another run";
            }
        }

        return null;
    }

    private static string Shown(long? nanoseconds) => nanoseconds is { } known ? Quantity.Duration(known) : "not known";

    // A record may have the exact value where a histogram has the end of its step.
    private static bool IsOneStep(LatencyHistogram layout, long one, long other)
    {
        var largest = Int128.Max(Int128.Abs(one), Int128.Abs(other));
        return largest <= layout.HighestRecordable
            && Int128.Abs((Int128)one - other) <= layout.WidthAt((long)largest);
    }

    private readonly record struct RecordedSeries(
        string Tag, long? Count, long Missing, long? Max, IReadOnlyList<PercentileRow> Percentiles);
}
