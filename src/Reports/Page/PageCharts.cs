using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Page;

/// <summary>The charts of a run: what is not known is not drawn, and a chart of nothing is left out.</summary>
internal sealed class PageCharts
{
    private const int MostShown = 3;

    private static readonly string[] Apart =
        ["hiccups", "lateness", "uncertainty", "residence", "network", "variation", "wait"];

    private readonly RunRecord? _record;
    private readonly RunTimelines _timelines;
    private readonly OffsetWindows? _offsets;
    private readonly PageMarks _marks;
    private readonly List<string> _order;

    public PageCharts(RunRecord? record, RunTimelines timelines, OffsetWindows? offsets)
    {
        (_record, _timelines, _offsets) = (record, timelines, offsets);
        _marks = new PageMarks(record, timelines, offsets);
        _order = record is null ? [] : [.. PageTables.Percentiles(record).Tables.First().Rows.Select(row => row[0])];
        var headline = timelines.Headline is { All.TotalCount: > 0 } known ? known : null;
        var byRate = LatencyByRate();
        Chart?[] main =
        [
            // What a search or a sweep is made for.
            byRate,
            Percentiles(),
            headline is null ? null : OverTime(headline) with { NamesMarks = true },
            Rates(headline is not null && IsLate(headline) ? Residence : headline),
            .. Offsets(),
        ];
        Main = [.. main.OfType<Chart>().Where(chart => chart.HasPoints)];
        Heat = headline is null ? null : new HeatMap(
            $"{PlainText.Brief(headline.Name)}: how many took how long",
            "Each column is a part of the time, each row a latency; the darker a cell, the more took so long."
            + (IsMiddle(headline)
                ? " A delay stands in the middle of the two values that it lies between."
                : string.Empty),
            headline.Slices,
            timelines.Start ?? headline.Slices[0].Start);
        Others = [.. Shown.Where(series => series.Name != headline?.Name).Select(OverTime).Where(one => one.HasPoints)];
    }

    public IReadOnlyList<Chart> Main { get; }
    public IReadOnlyList<Chart> Others { get; }
    public HeatMap? Heat { get; }

    // As the tables have them. What lies between least and most is no value of its own.
    private IEnumerable<SeriesTimeline> Shown => _timelines.Series
        .Where(series => series.All.TotalCount > 0 && !IsMiddle(series))
        .OrderBy(series => (uint)_order.IndexOf(series.Name));

    private bool IsMiddle(SeriesTimeline series) =>
        _timelines.Series.Any(other => other.Name == $"{series.Name}-lower" && other.All.TotalCount > 0);

    // A consumer knows its one way when the producer has told it the offset: some seconds after the messages.
    private bool IsLate(SeriesTimeline series) =>
        Residence is not null && series.Name.StartsWith("forward", StringComparison.Ordinal);

    // Of a consumer, whose log has no round trip.
    private SeriesTimeline? Residence =>
        _timelines.Series.Any(series => series.Name.EndsWith("rtt", StringComparison.Ordinal)) ? null
            : _timelines.Series.FirstOrDefault(series => series.Name == "residence");

    private static double? Known(long? value) => value is > 0 ? value : null;

    private Chart Percentiles()
    {
        var lines = Shown
            .Select(series => new ChartLine(PlainText.Brief(series.Name), [.. PercentileCurve.PointsOf(series.All)]))
            .ToList();
        var minor = Minor(lines);
        return PercentileCurve.Of("Percentiles", [.. lines.OrderBy(line => minor.Contains(line.Name))], minor);
    }

    // What is not the latency itself, and what is more than a few: first comes what the run is about.
    private HashSet<string> Minor(List<ChartLine> lines)
    {
        var about = _timelines.Headline?.Name is { } name ? name[(name.LastIndexOf('.') + 1)..] : string.Empty;
        var major = lines
            .Where(line => !Apart.Any(word => line.Name.Contains(word, StringComparison.Ordinal))).ToList();
        return
        [
            .. lines.Select(line => line.Name)
                .Except(major.OrderBy(line => !IsAbout(line)).Take(MostShown).Select(line => line.Name)),
        ];

        bool IsAbout(ChartLine line) => line.Name.EndsWith(about, StringComparison.Ordinal);
    }

    private Chart OverTime(SeriesTimeline series)
    {
        SeriesTimeline[] shown = IsMiddle(series)
            ? [.. _timelines.Series.Where(other => other.Name == $"{series.Name}-lower"
                || other.Name == $"{series.Name}-upper")]
            : [series];
        var lines = shown.SelectMany(one => Lines(one, EndOf(one, series))).ToList();
        var part = series.Slices.Select(slice => slice.Length.TotalSeconds).Max();
        var without = series.All.Beyond + series.All.BelowRange;
        return Timed(
            $"{PlainText.Brief(series.Name)} over time",
            ChartAxis.Durations(ValuesOf(lines)),
            lines,
            $"Each point is of {Quantity.Number(Math.Round(part, part < 10 ? 1 : 0))} s of the run: half of its values "
            + "were at most p50, the slowest took max."
            + (IsLate(series) ? " They stand where they became known, some seconds after the messages." : string.Empty)
            + (without > 0
                ? $" {Quantity.Count(without)} have no value that could be shown, and are in none of the points."
                : string.Empty));

        static string EndOf(SeriesTimeline one, SeriesTimeline middle) => one == middle ? string.Empty
            : one.Name.EndsWith("-lower", StringComparison.Ordinal) ? " at least" : " at most";
    }

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

        ChartLine Line(string name, Func<TimeSlice, long?> of) =>
            new(name + end, [.. PointsOf(series.Slices, slice => Known(of(slice)))]);
    }

    // Where nothing was logged there is a gap, and no line across it; nor to what was logged for several at once, after
    // a pause: its point stands alone.
    private IEnumerable<(double X, double? Y)> PointsOf(
        IReadOnlyList<TimeSlice> slices, Func<TimeSlice, double?> of)
    {
        var usual = slices.Select(slice => slice.Length).Order().ElementAtOrDefault(slices.Count / 2);
        for (var i = 0; i < slices.Count; i++)
        {
            if (i > 0 && slices[i].Start - (slices[i - 1].Start + slices[i - 1].Length) is var gap
                && (gap > slices[i - 1].Length || IsLong(slices[i]) || IsLong(slices[i - 1])))
            {
                yield return (_marks.Seconds(slices[i].Start - (gap / 2)), null);
            }

            yield return (_marks.Seconds(slices[i].Middle), of(slices[i]));
        }

        bool IsLong(TimeSlice slice) => slice.Length > 2 * usual;
    }

    private Chart Timed(string title, ChartAxis y, IReadOnlyList<ChartLine> lines, string note) => new(
        title, ChartAxis.Seconds(lines.SelectMany(line => line.Points).Select(point => point.X)
            .Concat(_marks.All.Select(mark => mark.X)).Concat(Ends()).Max()), y, lines)
    {
        XName = "at",
        XText = seconds => seconds < 100 ? $"{Quantity.Number(seconds)} s"
            : Quantity.Elapsed(TimeSpan.FromSeconds(seconds)),
        Marks = _marks.All,
        Note = note,
    };

    private IEnumerable<double> Ends() =>
        Shown.Select(series => _marks.Seconds(series.Slices[^1].Start + series.Slices[^1].Length));

    private Chart? Rates(SeriesTimeline? headline)
    {
        if (headline is null)
            return null;
        // What was under way when sending had ended, and what a warm-up did, is no throughput.
        var slices = headline.Slices.Where(slice => slice.Length > TimeSpan.Zero
            && slice.Length >= headline.Slices[0].Length / 2 && SpanOf(slice) is not null).ToList();
        if (slices.Count == 0)
            return null;
        ChartLine[] lines =
        [
            new("with a value", [.. PointsOf(slices, slice => slice.Count / slice.Length.TotalSeconds)]),
            new("asked", [.. PointsOf(slices, slice => SpanOf(slice)?.Summary?.Rates.Asked)]),
        ];
        return Timed(
            "Throughput, per second",
            ChartAxis.Even([0, .. ValuesOf(lines)], Quantity.Number),
            lines,
            "How many of what was asked for had a value, in each part of the measured time; where the lines part, the "
            + "schedule was not kept, or something is missing. The first and the last part may have begun before the "
            + "first message, or ended behind the last, and are lower then.") with
        {
            Unit = string.Empty,
        };

        MeasuredSpan? SpanOf(TimeSlice slice) => _marks.Spans.FirstOrDefault(span =>
            span.Holds(_marks.Seconds(slice.Start), slice.Length.TotalSeconds));
    }

    // Of phases that were asked for different rates: how latency grows with what is achieved.
    private Chart? LatencyByRate()
    {
        if (_record?.Search is { } search)
            return LatencyByRate(search);
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
            Note = "Each point is a phase that was asked for another rate: where a line begins to rise, the server "
                + "begins to queue.",
        };
    }

    // Of a search what decided on each rate, over what was asked for: beyond the limit no more is achieved.
    private static Chart? LatencyByRate(RateSearchResult search)
    {
        var steps = search.Deciding.ToList();
        if (steps.Count < 3)
            return null;
        var name = LatencyTable.NameOf(search.Percentile);
        ChartLine[] lines =
        [
            Line("p50", step => Known(step.MedianNs)),
            .. search.Percentile.Equals(50) ? Array.Empty<ChartLine>() : [Line(name, step => Known(step.ValueNs))],
            Line("limit", _ => search.LimitNs),
        ];
        return new Chart(
            "Latency against rate",
            ChartAxis.Even([0, steps[^1].Asked], Quantity.Number),
            ChartAxis.Durations(ValuesOf(lines)),
            lines)
        {
            XName = "asked per second",
            XText = Quantity.Number,
            Note = $"Each point is a step of the search for the highest rate under {search.Limit}; a line ends where "
                + "more was missing than the percentile leaves.",
        };

        ChartLine Line(string line, Func<SearchStep, double?> of) =>
            new(line, [.. steps.Select(step => (step.Asked, of(step)))]);
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
                $"Offset of the clock of {PlainText.Brief(name)}",
                ChartAxis.Even(values, Signed),
                lines,
                "The true offset lies between the outer lines, if what is assumed of the clocks holds.") with
            {
                Unit = "ns",
            };

            ChartLine Line(string line, Func<OffsetWindowPoint, double?> of) =>
                new(line, [.. windows.Select(window => (_marks.Seconds(window.Start), of(window)))]);
        }
    }

    private static IEnumerable<double> ValuesOf(IEnumerable<ChartLine> lines) =>
        lines.SelectMany(line => line.Points).Select(point => point.Y).OfType<double>();

    private static string Signed(double nanoseconds) =>
        nanoseconds < 0 ? $"−{Quantity.Duration(-nanoseconds)}" : Quantity.Duration(nanoseconds);
}
