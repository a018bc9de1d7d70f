using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Page;

/// <summary>The charts of a run: what is not known is not drawn, and a chart of nothing is left out.</summary>
internal sealed class PageCharts
{
    private const int MostShown = 3;
    private const int MostCurves = 128;

    // In rows of numbers, of which a page of two megabytes has room for so many; a chart of none takes as much as 40.
    private const int MostRows = 6_000;
    private const int RowsOfAChart = 40;

    private const double ApartNs = 1e9;
    private const string Latency = "latency (log scale)";

    private static readonly string[] Apart =
        ["hiccups", "lateness", "uncertainty", "residence", "network", "variation", "wait"];

    private readonly RunRecord? _record;
    private readonly RateSearchResult? _search;
    private readonly RunTimelines _timelines;
    private readonly OffsetWindows? _offsets;
    private readonly PageMarks _marks;
    private readonly List<string> _order;
    private readonly Dictionary<string, SeriesTimeline> _known;
    private readonly List<SeriesTimeline> _shown;
    private readonly double _end;
    private readonly IReadOnlyList<(string Label, SeriesTimeline Timeline)> _sides;

    public PageCharts(
        RunRecord? record, RunTimelines timelines, OffsetWindows? offsets, RunUnderWay? underWay = null)
    {
        (_record, _timelines, _offsets) = (record, timelines, offsets);
        _search = record?.Search ?? underWay?.Search;
        _marks = new PageMarks(record, timelines, offsets, record?.Events ?? underWay?.Events ?? []);
        _order = record is null ? [.. MeasuredSide.Told]
            : [.. PageTables.Percentiles(record).Tables.First().Rows.Select(row => row[0])];
        _known = timelines.Series.Where(series => series.All.TotalCount > 0).ToDictionary(series => series.Name);
        _shown = ShownOf();
        _end = _shown.Where(series => series.Slices.Count > 0)
            .Select(series => _marks.Seconds(series.Slices[^1].Start + series.Slices[^1].Length))
            .Concat(_marks.All.Select(mark => mark.X)).DefaultIfEmpty().Max();
        _sides = timelines.Sides;
        SeriesTimeline? headline = _sides is [var first, ..] ? first.Timeline : null;
        var percentiles = Percentiles();
        Chart?[] main =
        [
            // What a search or a sweep is made for, and what tells two servers apart.
            LatencyByRate(),
            _sides.Count > 1 ? percentiles : null,
            headline is null ? null : (_sides.Count > 1 ? SideBySide() : OverTime(headline)) with { NamesMarks = true },
            _sides.Count > 1 ? null : percentiles,
            headline is null ? null : Rates(IsLate(headline) && Residence is { } residence
                ? [(string.Empty, residence)] : _sides),
            headline is not null && IsCopy ? UnderWay(headline) : null,
            .. Offsets(),
        ];
        Tiles = record is null ? PageTiles.OfLog(timelines, _search) : new PageTiles(record, timelines, IsTold).All;
        Main = [.. main.OfType<Chart>().Where(chart => chart.HasPoints)];
        var slices = timelines.Blocks.SelectMany(blocks => blocks.Slices).ToList();
        Heats = [.. _sides.Zip(timelines.Blocks, (side, blocks) => HeatOf(side.Label, blocks, slices))];
        var others = _shown.Where(series => !_sides.Any(side => side.Timeline.Name == series.Name)).ToList();
        Others = [.. Affordable(others).Select(OverTime).Where(one => one.HasPoints)];
        Undrawn = others.Count - Affordable(others).Count();
    }

    public IReadOnlyList<PageTile> Tiles { get; }
    public IReadOnlyList<Chart> Main { get; }
    public IReadOnlyList<Chart> Others { get; }

    /// <summary>How many series over time are left out, as a page has room for so many.</summary>
    public int Undrawn { get; }

    public IReadOnlyList<HeatMap> Heats { get; }

    // A run of dozens of phases has hundreds of series.
    private static IEnumerable<SeriesTimeline> Affordable(IEnumerable<SeriesTimeline> series)
    {
        var rows = 0;
        return series.TakeWhile(one => (rows += one.Slices.Count + RowsOfAChart) <= MostRows);
    }

    // As the tables have them; those between which others lie are the edges of those.
    private List<SeriesTimeline> ShownOf()
    {
        var edges = _known.Values.Select(EdgesOf).SelectMany(edge => edge is var (least, most)
            ? new[] { least, most } : []).ToHashSet();
        return
        [
            .. _known.Values.Where(series => !edges.Contains(series))
                .OrderBy(series => (uint)_order.IndexOf(series.Name))
                .ThenBy(series => series.Name, StringComparer.Ordinal),
        ];
    }

    // The least and the most that each value can have been; null where it is known.
    private (SeriesTimeline Least, SeriesTimeline Most)? EdgesOf(SeriesTimeline series) =>
        _known.TryGetValue(Measured.LowerOf(series.Name), out var least)
        && _known.TryGetValue(Measured.UpperOf(series.Name), out var most)
            ? (least, most) : null;

    // A consumer knows its one way when the producer has told it the offset: some seconds after the messages.
    private bool IsLate(SeriesTimeline series) =>
        Residence is not null && series.Name.StartsWith("forward", StringComparison.Ordinal);

    // Of a consumer, whose log has no round trip.
    private SeriesTimeline? Residence =>
        _timelines.Series.Any(series => series.Name.EndsWith("rtt", StringComparison.Ordinal)) ? null
            : _timelines.Series.FirstOrDefault(series => series.Name == "residence");

    // Of a synchronisation, which nothing but its log may tell.
    private bool IsCopy => _timelines.Headline?.Name == Measured.Lag;

    private static double? Known(long? value) => value is > 0 ? value : null;

    private HeatMap HeatOf(string label, SeriesTimeline series, IReadOnlyList<TimeSlice> beside) => new(
        $"{PlainText.Brief(label.Length > 0 ? label : series.Name)}: how many took how long",
        "A column is a part of the time, a row a latency; the stronger a cell's colour, the more took so long."
        + (EdgesOf(series) is not null
            ? " A delay stands in the middle of the two values that it lies between."
            : string.Empty),
        series.Slices,
        beside,
        _timelines.Start ?? series.Slices[0].Start);

    private Chart Percentiles()
    {
        var sides = _sides.Count > 1 ? _sides : [];
        List<ChartLine> lines =
        [
            .. sides.Select(side => LineOf(side.Timeline, side.Label)),
            .. _shown.Where(series => !sides.Any(side => side.Timeline.Name == series.Name))
                .Select(series => LineOf(series, series.Name)),
        ];
        HashSet<string> minor = sides.Count > 0
            ? [.. lines.Skip(sides.Count).Select(line => line.Name)]
            : Minor(lines);
        var chart = PercentileCurve.Of(
            "Percentiles",
            [.. lines.Where(line => line.HasPoints).OrderBy(line => minor.Contains(line.Name)).Take(MostCurves)],
            minor);
        var more = lines.Count(line => line.HasPoints) - MostCurves;
        return more <= 0 ? chart : chart with
        {
            Note = $"{chart.Note} {Quantity.Count(more)} more series are in the table alone.",
        };

        ChartLine LineOf(SeriesTimeline series, string name) => EdgesOf(series) is var (least, most)
            ? PercentileCurve.BandOf(PlainText.Brief(name), least.All, most.All)
            : new ChartLine(PlainText.Brief(name), [.. PercentileCurve.PointsOf(series.All)]);
    }

    // What is not the latency itself, and what is more than a few: first comes what the run is about. Where there is
    // nothing else, that is seen.
    private HashSet<string> Minor(List<ChartLine> lines)
    {
        var about = _timelines.Headline?.Name is { } name ? name[(name.LastIndexOf('.') + 1)..] : string.Empty;
        var told = _record is not null && RecordKind.Of(_record).HasPhases
            ? RecordMetrics.MarkOf(_record, MeasuredSide.PlaceTold(_record)) : string.Empty;
        var major = lines
            .Where(line => !Apart.Any(word => line.Name.Contains(word, StringComparison.Ordinal))).ToList();
        return
        [
            .. lines.Select(line => line.Name).Except((major.Count > 0 ? major : lines)
                .OrderBy(line => !line.Name.StartsWith(told, StringComparison.Ordinal))
                .ThenBy(line => !line.Name.EndsWith(about, StringComparison.Ordinal))
                .Take(MostShown).Select(line => line.Name)),
        ];
    }

    private Chart OverTime(SeriesTimeline series)
    {
        var lines = Lines(series);
        // After a pause one is longer.
        var part = series.Slices.Select(slice => slice.Length.TotalSeconds).Order()
            .ElementAtOrDefault(series.Slices.Count / 2);
        var without = series.All.Beyond + series.All.BelowRange;
        return Timed(
            $"{PlainText.Brief(series.Name)} over time",
            ChartAxis.Durations(ValuesOf(lines)),
            lines,
            $"Each point is of {Quantity.Number(Math.Round(part, part < 10 ? 1 : 0))} s of the run: half of its values "
            + "were at most p50, the slowest took max."
            + (EdgesOf(series) is null ? string.Empty : " Each lies within its band.")
            + (IsLate(series) ? " They stand where they became known, some seconds after the messages." : string.Empty)
            + (without > 0
                ? $" {Quantity.Count(without)} have no value that could be shown, and are in none of the points."
                : string.Empty)) with
        {
            YTitle = Latency,
        };
    }

    // Each has its own colour; the second of two kinds of points is pale.
    private Chart SideBySide()
    {
        var lines = _sides.Index().SelectMany(side => Lines(side.Item.Timeline).Select((line, kind) => line with
        {
            Name = $"{PlainText.Brief(side.Item.Label)}, {line.Name}",
            Style = (side.Index, kind),
            IsDotted = _record?.Comparison is not null,
        })).ToList();
        var slowest = lines.Select(line => line.Name).Where(name => name.EndsWith(" max", StringComparison.Ordinal));
        var name = PlainText.Brief(_sides[0].Timeline.Name);
        return Timed(
            $"{name[(name.IndexOf('.') + 1)..]} over time, side by side",
            ChartAxis.Durations(ValuesOf(lines.Where(line => !slowest.Contains(line.Name))), ValuesOf(lines)),
            [.. lines.OrderBy(line => slowest.Contains(line.Name))],
            _record?.Comparison is null
                ? "Each point is of a part of the run; one colour is one destination."
                : "Each point is of a turn, or a part of one; one colour is one server.") with
        {
            YTitle = Latency,
            Hidden = slowest.ToHashSet(),
        };
    }

    // The 99th percentile of slices that are too small for it, here and there, would be a line of gaps.
    private List<ChartLine> Lines(SeriesTimeline series)
    {
        if (series.Slices.Count == 0)
            return [];
        var edges = EdgesOf(series);
        var usual = series.Slices.Select(slice => slice.Count).Order().ElementAt(series.Slices.Count / 2);
        return
        [
            Line("p50", slice => slice.P50),
            .. usual >= PercentileRow.LeastSamples(99) ? [Line("p99", slice => slice.P99)]
                : usual >= PercentileRow.LeastSamples(90) ? [Line("p90", slice => slice.P90)]
                : Array.Empty<ChartLine>(),
            Line("max", slice => slice.Max),
        ];

        ChartLine Line(string name, Func<TimeSlice, long?> of)
        {
            if (edges is not var (least, most))
                return new(name, [.. PointsOf(series.Slices, slice => Known(of(slice)))]);
            var lower = PointsOf(least.Slices, slice => of(slice)).ToList();
            var at = lower.GroupBy(point => point.X).ToDictionary(point => point.Key, point => point.Last().Y);
            List<(double X, double? Y)> upper = [.. PointsOf(most.Slices, slice => of(slice))];
            return new(name, upper) { Least = [.. upper.Select(point => (point.X, at.GetValueOrDefault(point.X)))] };
        }
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
            .Append(_end).Max()), y, lines)
    {
        XName = "at",
        XTitle = "time since the start",
        XText = seconds => seconds < 100 ? $"{Quantity.Number(seconds)} s"
            : Quantity.Elapsed(TimeSpan.FromSeconds(seconds)),
        Marks = _marks.All,
        Note = note,
    };

    private Chart? Rates(IReadOnlyList<(string Label, SeriesTimeline Timeline)> sides)
    {
        // What was under way when sending had ended, and what a warm-up did, is no throughput.
        var measured = sides.Select(side => (side.Label, Slices: side.Timeline.Slices.Where(slice =>
            slice.Length > TimeSpan.Zero && slice.Length >= side.Timeline.Slices[0].Length / 2
            && SpanOf(slice) is not null).ToList())).Where(side => side.Slices.Count > 0).ToList();
        List<ChartLine> lines =
        [
            .. measured.Select(side => new ChartLine(
                side.Label.Length == 0 ? "with a value" : PlainText.Brief(side.Label),
                [.. PointsOf(side.Slices, slice => slice.Count / slice.Length.TotalSeconds)])
            {
                IsDotted = side.Label.Length > 0 && _record?.Comparison is not null,
            }),
            .. measured is [(_, var slices)]
                ? [new ChartLine("asked", [.. PointsOf(slices, slice => SpanOf(slice)?.Summary?.Rates.Asked)])]
                : Array.Empty<ChartLine>(),
        ];
        if (lines.Count == 0)
            return null;
        return Timed(
            IsCopy ? "Keys and commands, per second" : "Throughput, per second",
            ChartAxis.Even([0, .. ValuesOf(lines)], Quantity.Number),
            lines,
            "How many had a value in each part of the measured time; below what was asked for, the schedule was not "
            + "kept, or something is missing. The first and the last part may be shorter, and lower.") with
        {
            Unit = string.Empty,
            YTitle = "per second",
        };

        MeasuredSpan? SpanOf(TimeSlice slice) => _marks.Spans.FirstOrDefault(span =>
            span.Holds(_marks.Seconds(slice.Start), slice.Length.TotalSeconds));
    }

    // Of a load the answer tells of the last phase alone, or of the one that a search found.
    private bool IsTold(TimeSlice slice)
    {
        var told = _record?.Comparison is not null || _marks.Spans.Count < 2 ? null
            : _marks.Spans.LastOrDefault(span => _record?.Search?.Answer?.Phase is not { } answer
                || span.Summary?.Workload?.Phase == answer);
        return told?.Holds(_marks.Seconds(slice.Start), slice.Length.TotalSeconds) ?? true;
    }

    // What is under way at a time is, on average, the sum of how long each was, over the time (Little's law).
    private Chart UnderWay(SeriesTimeline lag)
    {
        ChartLine[] lines =
        [
            new("under way", [.. PointsOf(lag.Slices, slice => slice.Length > TimeSpan.Zero
                ? slice.TotalNs / slice.Length.TotalNanoseconds : null)]),
        ];
        return Timed(
            "Backlog: read at the source, not yet answered by the target",
            ChartAxis.Even([0, .. ValuesOf(lines)], Quantity.Number),
            lines,
            "Keys and commands that were under way, on average in each part of the time.") with
        {
            Unit = string.Empty,
            YTitle = "keys and commands",
        };
    }

    // Of phases that were asked for different rates: how latency grows with what is achieved.
    private Chart? LatencyByRate()
    {
        if (_search is { } search)
            return LatencyByRate(search);
        if (_record?.Comparison is not null)
            return null;
        var phases = (_record?.Summaries ?? [])
            .Where(summary => summary is { Workload: null or { IsFloor: false, Verb: "run" }, Rates.Asked: not null })
            .Select(summary => (
                summary.Rates.Asked, Rate: summary.Rates.Achieved ?? 0, Series: Headline.SeriesOf(summary)))
            .Where(phase => phase.Series is not null && phase.Rate > 0)
            .DistinctBy(phase => phase.Asked).OrderBy(phase => phase.Rate).ToList();
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
            XTitle = "answered per second",
            YTitle = Latency,
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
            XTitle = "asked for per second",
            YTitle = Latency,
            XText = Quantity.Number,
            Note = $"Each point is a step of the search for the highest rate under {search.Limit}; a line ends where "
                + "more was missing than the percentile leaves.",
        };

        ChartLine Line(string line, Func<SearchStep, double?> of) =>
            new(line, [.. steps.Select(step => (step.Asked, of(step)))]) { IsDotted = line != "limit" };
    }

    private IEnumerable<Chart> Offsets()
    {
        foreach (var (name, windows) in _offsets?.Pairs ?? [])
        {
            // Clocks of two hosts may be years apart: then what is drawn is how that changes.
            var first = windows.Select(window => window.OffsetNs).OfType<double>().FirstOrDefault();
            var origin = Math.Abs(first) >= ApartNs ? first : 0;
            var middle = Line("θ", window => window.OffsetNs);
            ChartLine[] lines =
            [
                middle,
                Line("θ ± E", window => window.OffsetNs + window.ErrorNs) with
                {
                    Least = Line(string.Empty, window => window.OffsetNs - window.ErrorNs).Points,
                },
            ];
            if (!middle.HasPoints || _timelines.Start is null)
                continue;
            yield return Timed(
                $"Offset of the clock of {PlainText.Brief(name)}",
                ChartAxis.Even(ValuesOf(lines), Signed),
                lines,
                "The true offset lies within the band, if what is assumed of the clocks holds."
                + (origin == 0 ? string.Empty : $" It is drawn from its first value, {Signed(origin)}.")) with
            {
                Unit = "ns",
                YTitle = "their clock is ahead by",
            };

            ChartLine Line(string line, Func<OffsetWindowPoint, double?> of) =>
                new(line, [.. windows.Select(window => (_marks.Seconds(window.Start), of(window) - origin))]);
        }
    }

    private static IEnumerable<double> ValuesOf(IEnumerable<ChartLine> lines) =>
        lines.SelectMany(line => line.Known);

    private static string Signed(double nanoseconds) =>
        nanoseconds < 0 ? $"−{Quantity.Duration(-nanoseconds)}" : Quantity.Duration(nanoseconds);
}
