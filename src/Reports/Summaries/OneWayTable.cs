using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>A pair's latencies: statistics down, directions across.</summary>
internal sealed class OneWayTable
{
    private readonly List<OneWaySeries> _directions;
    private readonly List<LatencyColumn> _clockFree;

    public OneWayTable(IReadOnlyList<OneWaySeries> directions, LatencySeries? network)
    {
        _directions = [.. directions.Where(series => series.Count > 0)];
        _clockFree = [.. directions.Where(series => series.Variation is { Count: > 0 })
            .Select(series => new LatencyColumn($"{series.Name}-variation", series.Variation!))];
        if (network is { Count: > 0 })
            _clockFree.Insert(0, new LatencyColumn("forward + back", network));
        Unit = Quantity.UnitFor([.. directions.Select(Typical)]);
    }

    public DurationUnit Unit { get; }

    public bool HasBack => _directions.Exists(series => series.Name.StartsWith("back", StringComparison.Ordinal));

    public bool HasDirections => _directions.Count > 0;

    /// <summary>
    /// Adds the directions: every value with the bound E, and beside it what sampling alone leaves open.
    /// </summary>
    public void AddDirections(Section section)
    {
        if (!HasDirections)
            return;
        var all = _directions;
        var table = new Table([string.Empty, .. all.SelectMany(Heads)]);
        Add(table, "n", all, series => [Quantity.Count(series.Count)]);
        Add(table, "min", all, series => [WithError(series.Min, series)]);
        Add(table, "mean", all, series => [Whole(series, series.Mean)]);
        var rows = all.SelectMany(series => series.Percentiles).ToList();
        foreach (var percentile in LatencyTable.Known(rows))
            Add(table, LatencyTable.NameOf(percentile), all, series => [.. Row(series, percentile)]);
        Add(table, "max", all, series => [Whole(series, series.Max)]);
        section.Add(table);
        if (IntervalText.WhyNot(rows) is { Length: > 0 } whyNot)
            section.Add($"95 % intervals: {whyNot}");
        if (all.Exists(HasIntervals))
            section.Add(IntervalText.Meaning);
        section.Add(LatencyTable.ExplainMissing(table));
    }

    /// <summary>What needs no clocks: the sum of both ways, and how much each varies; null without any.</summary>
    // A percentile that no column has samples enough for is left out: the round trip's table says so already.
    public Table? ClockFree() => _clockFree.Count == 0
        ? null
        : new LatencyTable(_clockFree, Unit) { ShowsKnownOnly = true }.ToTable();

    private static void Add(
        Table table, string name, List<OneWaySeries> all, Func<OneWaySeries, string[]> cells) =>
        table.Add([name, .. all.SelectMany(series => Padded(cells(series), HasIntervals(series)))]);

    private static bool HasIntervals(OneWaySeries series) => series.Percentiles.Any(row => row.Lower is not null);

    private static string[] Heads(OneWaySeries series) =>
        HasIntervals(series) ? [$"{series.Name} ±E", "95 %"] : [$"{series.Name} ±E"];

    private static string[] Padded(string[] cells, bool hasIntervals) =>
        hasIntervals && cells.Length == 1 ? [.. cells, string.Empty] : cells;

    private IEnumerable<string> Row(OneWaySeries series, double percentile)
    {
        var row = series.Percentiles.At(percentile);
        yield return row?.Value is { } value
            ? LatencyTable.MarkOf(row) + WithError(value, series)
            : LatencyTable.WordFor(row);
        if (HasIntervals(series))
            yield return row?.Lower is { } lower && row.Upper is { } upper
                ? $"{Show(lower)}..{Show(upper)}"
                : Quantity.None;
    }

    private string WithError(double? value, OneWaySeries series) =>
        value is null ? Quantity.None : $"{Show(value)} ±{Error(series)}";

    private string Whole(OneWaySeries series, double? value) =>
        value is null && series.Missing > 0 ? LatencyTable.Missing : WithError(value, series);

    // Never printed as nothing: a bound is rounded up.
    private string Error(OneWaySeries series) =>
        Show(series.ErrorNs) is var text && series.ErrorNs > 0 && text == "0.000" ? "0.001" : Show(series.ErrorNs);

    private string Show(double? nanoseconds) => Quantity.Duration(nanoseconds, Unit);

    private static long Typical(OneWaySeries series) =>
        (long)Math.Abs((double?)series.Percentiles.At(50)?.Value ?? series.Mean ?? 0);
}
