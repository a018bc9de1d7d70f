using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Sections;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Page;

/// <summary>What a page shows of two groups of runs.</summary>
/// <param name="Comparison">What came out.</param>
/// <param name="Verdicts">What became of each limit, a line each.</param>
/// <param name="Curves">The percentile curves of both; null where there are none.</param>
public sealed record ComparedRuns(RunComparison Comparison, IReadOnlyList<string> Verdicts, Chart? Curves)
{
    private const int MostRows = 500;

    internal IReadOnlyList<Section> Sections => ComparisonPage.Of(Comparison, Verdicts, MostRows);

    /// <summary>What came out, as a class of the style sheet.</summary>
    internal string Status => ComparisonPage.StatusOf(Comparison);

    /// <summary>
    /// The percentile curves of what the runs are about: of all runs of a group together, and around it from the least
    /// to the most of its single runs.
    /// </summary>
    /// <exception cref="SavedRunException">An interval log cannot be read.</exception>
    public static Chart? CurvesOf(IReadOnlyList<SavedRun> before, IReadOnlyList<SavedRun> after)
    {
        if (before[0].Record is not { } first || Headline.Of(first) is not { } headline)
            return null;
        ChartLine[] lines = [.. Lines("before", 0, before, headline), .. Lines("after", 1, after, headline)];
        var chart = PercentileCurve.Of($"{PlainText.Brief(headline.Mark + headline.Name)}, percentiles", lines) with
        {
            Note = "Of all runs of a group together; the band is from the least to the most of its single runs. "
                + PercentileCurve.Note,
        };
        return chart.HasPoints ? chart : null;
    }

    private static IEnumerable<ChartLine> Lines(
        string name, int colour, IReadOnlyList<SavedRun> runs, Headline headline)
    {
        var all = LatencyHistogram.ForLatency();
        var curves = new List<IReadOnlyList<(double X, double? Y)>>();
        foreach (var run in runs)
        {
            var values = ValuesOf(run, headline);
            all.Add(values);
            curves.Add([.. PercentileCurve.PointsOf(values)]);
        }

        yield return new ChartLine(name, [.. PercentileCurve.PointsOf(all)]) { Style = (colour, 0) };
        if (runs.Count > 1)
        {
            yield return new ChartLine($"{name}, single runs", Ends(ends => ends.Max()))
            {
                Style = (colour, 0),
                Least = Ends(ends => ends.Min()),
            };
        }

        // What one run does not know, the least and the most do not either.
        List<(double X, double? Y)> Ends(Func<IEnumerable<double>, double> end) =>
        [
            .. curves[0].Select((point, place) => (
                point.X, curves.TrueForAll(curve => curve[place].Y is not null)
                    ? (double?)end(curves.Select(curve => curve[place].Y).OfType<double>()) : null)),
        ];
    }

    private static LatencyHistogram ValuesOf(SavedRun run, Headline about)
    {
        var values = LatencyHistogram.ForLatency();
        var own = run.Record is { } record ? Headline.Of(record) : null;
        if (own?.Name != about.Name)
            return values;
        var negatives = 0L;
        var negative = own.Mark + own.Name + RunTimelines.NegativeEnd;
        foreach (var interval in run.ReadIntervals(tag => tag == negative || own.IsLoggedAs(tag)))
        {
            if (interval.Tag == negative)
                negatives += interval.Histogram.TotalCount;
            else
                values.Add(interval.Histogram);
        }

        values.Record(-1, negatives);
        values.SetMissing(own.Missing);
        return values;
    }
}
