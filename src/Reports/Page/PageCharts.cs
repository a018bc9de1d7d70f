using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Page;

/// <summary>The charts of a run: what is not known is not drawn, and a chart of nothing is left out.</summary>
internal sealed class PageCharts
{
    private const int PerNine = 12;
    private const int MostNines = 6;
    private const int MostShown = 8;

    private static readonly string[] Apart = ["hiccups", "lateness", "uncertainty", "residence", "network"];

    private readonly RunRecord? _record;
    private readonly RunTimelines _timelines;
    private readonly OffsetWindows? _offsets;
    private readonly List<ChartMark> _marks;

    public PageCharts(RunRecord? record, RunTimelines timelines, OffsetWindows? offsets)
    {
        (_record, _timelines, _offsets) = (record, timelines, offsets);
        _marks =
        [
            .. (record?.Events ?? []).Select(one => Mark(one.AtUtc, one.Kind, one.Text)),
            .. (offsets?.Breaks ?? []).Select(one => Mark(one.At, "clock", one.Text)),
        ];
        if (record?.Role == WorkloadResults.Role && record.Summaries.Count > 1)
            _marks.AddRange(Phases(record));
        var headline = timelines.Headline is { All.TotalCount: > 0 } known ? known : null;
        Chart?[] main =
        [
            Percentiles(),
            headline is null ? null : OverTime(headline),
            Rates(headline),
            LatencyByRate(),
            .. Offsets(),
        ];
        Main = [.. main.OfType<Chart>().Where(chart => chart.HasPoints)];
        Heat = headline is null ? null : new HeatMap(
            $"{PageRun.Clean(headline.Name)}: how many took how long",
            headline.Slices,
            timelines.Start ?? headline.Slices[0].Start);
        Others = [.. Shown.Where(series => series.Name != headline?.Name).Select(OverTime).Where(one => one.HasPoints)];
    }

    public IReadOnlyList<Chart> Main { get; }
    public IReadOnlyList<Chart> Others { get; }
    public HeatMap? Heat { get; }

    // What lies between least and most is no value of its own.
    private IEnumerable<SeriesTimeline> Shown =>
        _timelines.Series.Where(series => series.All.TotalCount > 0 && !IsMiddle(series));

    private bool IsMiddle(SeriesTimeline series) =>
        _timelines.Series.Any(other => other.Name == $"{series.Name}-lower" && other.All.TotalCount > 0);

    private static double? Known(long? value) => value is > 0 ? value : null;

    private double Seconds(DateTimeOffset at) => (at - (_timelines.Start ?? at)).TotalSeconds;

    private ChartMark Mark(DateTimeOffset at, string kind, string text) =>
        new(Seconds(at), PageRun.Clean(kind), PageRun.Clean(text));

    private IEnumerable<ChartMark> Phases(RunRecord record)
    {
        for (var place = 0; place < record.Summaries.Count; place++)
        {
            var mark = RecordMetrics.MarkOf(record, place);
            var starts = _timelines.Series.Where(series => mark.Length > 0 && series.Slices.Count > 0
                && series.Name.StartsWith(mark, StringComparison.Ordinal)).Select(series => series.Slices[0].Start);
            foreach (var start in starts.Order().Take(1))
                yield return Mark(start, "phase", record.Summaries[place].Name);
        }
    }

    private Chart Percentiles()
    {
        var lines = Shown
            .Select(series => new ChartLine(PageRun.Clean(series.Name), [.. CurveOf(series.All)])).ToList();
        var most = lines.SelectMany(line => line.Points).Where(point => point.Y is not null)
            .Select(point => point.X).DefaultIfEmpty().Max();
        return new Chart(
            "Percentiles",
            ChartAxis.Nines(most),
            ChartAxis.Durations(ValuesOf(lines)),
            [.. lines.Select(line => line with { Points = [.. line.Points.Where(point => point.X <= most)] })])
        {
            XName = "percentile",
            XText = percentile => $"{Quantity.Number(percentile)} %",
            Hidden = Minor(lines),
            Note = "A curve ends where fewer than ten samples lie above it, or where those are that have no value.",
        };
    }

    // What is not the latency itself; of many series all that the run is not about.
    private HashSet<string> Minor(List<ChartLine> lines)
    {
        var about = _timelines.Headline?.Name is { } name ? name[(name.LastIndexOf('.') + 1)..] : string.Empty;
        var major = lines.Where(line => !Apart.Any(word => line.Name.Contains(word, StringComparison.Ordinal))).ToList();
        if (major.Count > MostShown && major.Exists(IsAbout))
            major = major.FindAll(IsAbout);
        return [.. lines.Select(line => line.Name).Except(major.Select(line => line.Name))];

        bool IsAbout(ChartLine line) => line.Name.EndsWith(about, StringComparison.Ordinal);
    }

    private static IEnumerable<(double X, double? Y)> CurveOf(LatencyHistogram values)
    {
        for (var step = 1; step <= MostNines * PerNine; step++)
        {
            var percentile = 100 * (1 - Math.Pow(10, -(double)step / PerNine));
            yield return (percentile, Known(PercentileRow.Of(values, percentile).Value));
        }
    }

    private Chart OverTime(SeriesTimeline series)
    {
        if (IsMiddle(series))
        {
            var ends = _timelines.Series.Where(other => other.Name == $"{series.Name}-lower"
                || other.Name == $"{series.Name}-upper").ToList();
            return OverTime(series.Name, [.. ends.SelectMany(end =>
                Lines(end, end.Name.EndsWith("-lower", StringComparison.Ordinal) ? " at least" : " at most"))]);
        }

        return OverTime(series.Name, Lines(series, string.Empty));
    }

    private Chart OverTime(string name, IReadOnlyList<ChartLine> lines) => Timed(
        $"{PageRun.Clean(name)} over time",
        ChartAxis.Durations(ValuesOf(lines)),
        lines);

    // The 99th percentile of slices that are too small for it, here and there, would be a line of gaps.
    private List<ChartLine> Lines(SeriesTimeline series, string end)
    {
        var usual = series.Slices.Select(slice => slice.Count).Order().ElementAt(series.Slices.Count / 2);
        return
        [
            Line("p50", slice => slice.P50),
            .. usual >= PercentileRow.LeastSamples(99) ? [Line("p99", slice => slice.P99)]
                : usual >= PercentileRow.LeastSamples(90) ? [Line("p90", slice => slice.P90)]
                : Array.Empty<ChartLine>(),
            Line("max", slice => slice.Max),
        ];

        ChartLine Line(string name, Func<TimeSlice, long?> of) => new(
            name + end, [.. series.Slices.Select(slice => (Middle(slice), Known(of(slice))))]);
    }

    private double Middle(TimeSlice slice) => Seconds(slice.Start) + (slice.Length.TotalSeconds / 2);

    private Chart Timed(string title, ChartAxis y, IReadOnlyList<ChartLine> lines) => new(
        title, ChartAxis.Seconds(lines.SelectMany(line => line.Points).Select(point => point.X)
            .Concat(_marks.Select(mark => mark.X)).Concat(Ends()).Max()), y, lines)
    {
        XName = "at",
        XText = seconds => seconds < 100 ? $"{Quantity.Number(seconds)} s"
            : Quantity.Elapsed(TimeSpan.FromSeconds(seconds)),
        Marks = [.. _marks.Where(mark => mark.X >= 0)],
    };

    private IEnumerable<double> Ends() =>
        Shown.Select(series => Seconds(series.Slices[^1].Start + series.Slices[^1].Length));

    private Chart? Rates(SeriesTimeline? headline)
    {
        if (headline is null)
            return null;
        // The last slice is what was left of a second, in which sending had ended.
        var slices = headline.Slices.Where(slice => slice.Length >= headline.Slices[0].Length / 2).ToList();
        var measured = new ChartLine("with a value", [.. slices.Select(slice =>
            (Middle(slice), slice.Length > TimeSpan.Zero ? slice.Count / slice.Length.TotalSeconds : (double?)null))]);
        var asked = _record?.Summaries is [{ Rates.Asked: { } rate, Workload: null }]
            ? new[] { new ChartLine("asked", [.. slices.Select(slice => (Middle(slice), (double?)rate))]) }
            : [];
        ChartLine[] lines = [measured, .. asked];
        return Timed(
            "Throughput, per second",
            ChartAxis.Even([0, .. ValuesOf(lines)], Quantity.Number),
            lines) with
        {
            Unit = string.Empty,
        };
    }

    // Of phases that were asked for different rates: how latency grows with what is achieved.
    private Chart? LatencyByRate()
    {
        var phases = (_record?.Summaries ?? [])
            .Where(summary => summary is { Workload: null or { IsFloor: false, Verb: "run" }, Rates.Asked: not null })
            .Select(summary => (Rate: summary.Rates.Achieved ?? 0, Series: Headline.SeriesOf(summary)))
            .Where(phase => phase.Series is not null && phase.Rate > 0)
            .DistinctBy(phase => phase.Rate).OrderBy(phase => phase.Rate).ToList();
        if (phases.Count < 3)
            return null;
        ChartLine[] lines =
        [
            .. new double[] { 50, 99 }.Select(percentile => new ChartLine(
                LatencyTable.NameOf(percentile),
                [.. phases.Select(phase => (phase.Rate, Known(phase.Series?.Percentiles.At(percentile)?.Value)))])),
        ];
        return new Chart(
            "Latency against throughput",
            ChartAxis.Even([0, phases[^1].Rate], Quantity.Number),
            ChartAxis.Durations(ValuesOf(lines)),
            lines)
        {
            XName = "per second",
            XText = Quantity.Number,
        };
    }

    private IEnumerable<Chart> Offsets()
    {
        foreach (var (name, windows) in _offsets?.Pairs ?? [])
        {
            ChartLine[] lines =
            [
                Line("θ", window => window.OffsetNs),
                Line("θ − E", window => window.OffsetNs - window.ErrorNs),
                Line("θ + E", window => window.OffsetNs + window.ErrorNs),
            ];
            var values = ValuesOf(lines).ToList();
            if (values.Count == 0 || _timelines.Start is null)
                continue;
            yield return Timed(
                $"Offset of the clock of {PageRun.Clean(name)}", ChartAxis.Even(values, Signed), lines) with
            {
                Note = "The true offset lies between the outer lines, if what is assumed of the clocks holds.",
                Unit = "ns",
            };

            ChartLine Line(string line, Func<OffsetWindowPoint, double?> of) =>
                new(line, [.. windows.Select(window => (Seconds(window.Start), of(window)))]);
        }
    }

    private static IEnumerable<double> ValuesOf(IEnumerable<ChartLine> lines) =>
        lines.SelectMany(line => line.Points).Select(point => point.Y).OfType<double>();

    private static string Signed(double nanoseconds) =>
        nanoseconds < 0 ? $"−{Quantity.Duration(-nanoseconds)}" : Quantity.Duration(nanoseconds);
}
