using System.Globalization;
using System.Text;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Page;

/// <summary>The four to six numbers that a page begins with: of what the answer's sentence tells.</summary>
internal sealed class PageTiles
{
    private const int Most = 6;

    private readonly RunRecord _record;
    private readonly List<(MeasuredSide Side, SeriesTimeline? Timeline)> _sides;
    private readonly Func<TimeSlice, bool> _isShown;

    /// <param name="record">The run.</param>
    /// <param name="timelines">How it went.</param>
    /// <param name="isTold">Whether a part of the time is of the phase that is told of.</param>
    public PageTiles(RunRecord record, RunTimelines timelines, Func<TimeSlice, bool> isTold)
    {
        (_record, _isShown) = (record, isTold);
        _sides = [.. timelines.MeasuredSides.Where(side => side.Side.Summaries.Count > 0)];
        PageTile?[] tiles =
        [
            .. OfRole(),
            Percentile(50),
            Percentile(99),
            Rate(),
            Missing(),
            OneWay(),
            Count(Counted.Errors),
            Count(Counted.Reordered),
        ];
        All = [.. tiles.OfType<PageTile>().Take(Most)];
    }

    public IReadOnlyList<PageTile> All { get; }

    /// <summary>
    /// What an interval log alone tells, of a run that has no record, or none yet: of a load its last phase.
    /// </summary>
    /// <param name="timelines">How it went.</param>
    /// <param name="search">What a search has found so far; null of any other run.</param>
    public static IReadOnlyList<PageTile> OfLog(RunTimelines timelines, RateSearchResult? search)
    {
        if (timelines.Sides is not [var (_, about), ..])
            return [];
        var (values, slices, note) = (about.All, about.Slices, about.Name);
        var phases = timelines.PhasesLogged
            .Where(phase => phase.Series.Any(one => one.All.TotalCount > 0)).ToList();
        if (phases is [_, .., var (number, series)])
        {
            var from = series.SelectMany(one => one.Slices).Min(slice => slice.Start);
            values = SeriesTimeline.SumOf(about.Name, series).All;
            slices = [.. slices.Where(slice => slice.Start >= from)];
            note = $"{about.Name} of phase {number}";
        }

        var seconds = slices.Sum(slice => slice.Length.TotalSeconds);
        PageTile?[] tiles =
        [
            search is null ? null : HighestRate(search),
            Tile("p50", LatencyTable.Cell(PercentileRow.Of(values, 50)), note, slice => slice.P50),
            Tile("p99", LatencyTable.Cell(PercentileRow.Of(values, 99)), note, slice => slice.P99),
            Tile("slowest", Quantity.Duration(values.Max), note, slice => slice.Max),
            Tile(
                "rate", seconds > 0 ? Quantity.Rate(values.TotalCount / seconds) : Quantity.None, "with a value",
                slice => slice.Length > TimeSpan.Zero ? slice.Count / slice.Length.TotalSeconds : null),
        ];
        return [.. tiles.OfType<PageTile>()];

        PageTile Tile(string name, string text, string note, Func<TimeSlice, double?> of) =>
            new(name, [new TileValue(text, Spark: Spark(slices, of))]) { Note = note };
    }

    private static PageTile HighestRate(RateSearchResult search) => new(
        "highest rate", [new TileValue(search.Held is { } held ? Quantity.Rate(held) : "none held")])
    {
        Note = $"under {search.Limit}",
    };

    private IEnumerable<PageTile> OfRole()
    {
        if (_record.Search is { } search)
            yield return HighestRate(search);
        if (_record.Summaries is not [{ Sync: not null } all, ..])
            yield break;
        var seconds = (all.DurationNs ?? 0) / 1e9;
        yield return new PageTile("keys", [new TileValue(Quantity.Count(all.Count(Counted.Keys)))])
        {
            Note = seconds > 0 ? $"{Quantity.Rate((all.Count(Counted.Keys) ?? 0) / seconds)} on average" : string.Empty,
        };
        yield return new PageTile("commands", [new TileValue(Quantity.Count(all.Count(Counted.Commands)))]);
        yield return new PageTile("skipped", [new TileValue(Quantity.Count(all.Count(Counted.Skipped)))]);
    }

    private PageTile? Percentile(double percentile)
    {
        // Of two servers in turns all turns together, as their comparison has them.
        var compared = _record.Comparison?.Percentiles.FirstOrDefault(row => row.Percentile.Equals(percentile));
        var values = _sides.Select((side, place) => new TileValue(
            compared is not null
                ? Quantity.Duration(place == 0 ? compared.BaseNs : compared.OtherNs)
                : TextOf(side.Side.Summaries, side.Timeline, percentile),
            side.Side.Mark,
            Spark(side.Timeline, slice => percentile < 99 ? slice.P50 : slice.P99))).ToList();
        return values.Count == 0 || values.TrueForAll(value => value.Text.Length == 0) ? null
            : new PageTile(LatencyTable.NameOf(percentile), values)
            {
                Note = compared is not null
                    ? $"b / a {Times(compared.Ratio)} ({Times(compared.RatioLower)} to {Times(compared.RatioUpper)})"
                    : SeriesOf(_sides[0].Side.Summaries),
            };

        static string Times(double ratio) => ratio.ToString("0.00", CultureInfo.InvariantCulture);
    }

    // Of several phases also which one: its numbers are not those of the others.
    private string SeriesOf(IReadOnlyList<RunSummary> told)
    {
        var name = Headline.SeriesOf(told[0])?.Name ?? _record.Forward?.Series[0].Name ?? string.Empty;
        return RecordKind.Of(_record).HasPhases && told.Count == 1 && _record.Summaries.Count > 1
            ? $"{name} of {told[0].Name}" : name;
    }

    private string TextOf(IReadOnlyList<RunSummary> summaries, SeriesTimeline? timeline, double percentile)
    {
        if (summaries.Count > 1)
        {
            return timeline is { All.TotalCount: > 0 }
                ? LatencyTable.Cell(PercentileRow.Of(timeline.All, percentile)) : string.Empty;
        }

        var summary = summaries[0];
        if (_record.Forward?.Series is [var forward, ..])
            return AnswerLine.Value(forward.Percentiles, percentile);
        if (Headline.SeriesOf(summary) is not { } series)
            return string.Empty;
        return new DelayCells(summary, series.Name, value => Quantity.Duration(value)).Percentile(percentile);
    }

    private PageTile? Rate()
    {
        var values = _sides.Select(side => side.Side.Summaries.Average(one => one.Rates.Achieved) is { } rate
            ? new TileValue(
                Quantity.Rate(rate), side.Side.Mark, Spark(side.Timeline, slice => slice.Length > TimeSpan.Zero
                    ? slice.Count / slice.Length.TotalSeconds : null))
            : null).OfType<TileValue>().ToList();
        return values.Count == 0 ? null : new PageTile("rate", values)
        {
            Note = _sides[0].Side.Summaries[0].Rates.Asked is { } asked ? $"of {Quantity.Rate(asked)} asked for"
                : string.Empty,
        };
    }

    private PageTile? Missing()
    {
        var series = _sides.Select(side => (side.Side.Mark, All: side.Side.Summaries.Select(Headline.SeriesOf)
            .OfType<LatencySeries>().Where(one => one.Missing is not null).ToList()))
            .Where(one => one.All.Count > 0).ToList();
        return series.Count == 0 ? null
            : new PageTile("without a value", [.. series.Select(one => new TileValue(
                Quantity.Count(one.All.Sum(each => each.Missing)), one.Mark))])
            {
                Note = series.Count == 1 && series[0].All.Sum(each => each.Count + each.Missing) is { } all
                    ? $"of {Quantity.Count(all)}" : string.Empty,
            };
    }

    private PageTile? OneWay()
    {
        var pair = _record.Summaries.SelectMany(summary => summary.OneWay)
            .FirstOrDefault(one => one.Grade is not (null or OneWayGrade.F));
        return _sides.Count > 1 || pair?.Series.FirstOrDefault(series => series.Count > 0) is not { } series ? null
            : new PageTile($"{series.Name} p50", [new TileValue(AnswerLine.Value(series.Percentiles, 50))])
            {
                Note = $"±{Quantity.Duration(series.ErrorNs)}, grade {pair.Grade}",
            };
    }

    private PageTile? Count(Metric metric)
    {
        var values = _sides
            .Where(side => side.Side.Summaries.Any(one => one.Count(metric) is not null))
            .Select(side => new TileValue(
                Quantity.Count(side.Side.Summaries.Sum(one => one.Count(metric))), side.Side.Mark))
            .ToList();
        return values.Count == 0 ? null : new PageTile(metric.Name, values);
    }

    private string Spark(SeriesTimeline? timeline, Func<TimeSlice, double?> of) =>
        timeline is null ? string.Empty : Spark(timeline.Slices.Where(_isShown), of);

    // From its own least to its own most: what there is to see is the form.
    private static string Spark(IEnumerable<TimeSlice> slices, Func<TimeSlice, double?> of)
    {
        var points = slices
            .Select(slice => (slice.Middle, Value: of(slice))).Where(point => point.Value > 0).ToList();
        if (points.Count < 3)
            return string.Empty;
        var (least, most) = (points.Min(point => point.Value!.Value), points.Max(point => point.Value!.Value));
        var (from, length) = (points[0].Middle, points[^1].Middle - points[0].Middle);
        var path = new StringBuilder();
        foreach (var (at, value) in points)
        {
            var up = most > least ? (value!.Value - least) / (most - least) : 0.5;
            path.Append(
                CultureInfo.InvariantCulture,
                $"{(path.Length == 0 ? 'M' : 'L')}{100 * ((at - from) / length):0.#} {19 - (18 * up):0.#}");
        }

        return path.ToString();
    }
}
