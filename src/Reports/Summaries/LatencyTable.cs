using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>
/// Latencies as a table: statistics down, series across. The answer has the percentiles that one of its columns knows.
/// </summary>
internal sealed class LatencyTable(IReadOnlyList<LatencyColumn> columns, DurationUnit unit)
{
    /// <summary>What stands for a percentile above which too few samples lie.</summary>
    public const string TooFew = "few";

    /// <summary>What stands for a value that what is missing could change.</summary>
    public const string Missing = "missing";
    public const string Negative = "negative";

    /// <summary>What stands for a percentile that another tool did not give.</summary>
    public const string NotGiven = "not given";

    /// <summary>What precedes a percentile that the machine can have made.</summary>
    public const string InDoubt = "~";

    /// <summary>What precedes a maximum that a sample without a value would exceed.</summary>
    private const char AtLeast = '>';

    private const string MissingLegend =
        "missing: not known, because samples have no value (lost, timed out, refused or "
        + "never sent) and count as slower than all others";

    private static readonly (Func<string, bool> IsExplained, string Text, Extent Extent)[] Legends =
    [
        (cell => cell == TooFew, "few: fewer than ten samples lie above that percentile, so it is not known",
            Extent.Details),
        (cell => cell == NotGiven, $"{NotGiven}: the tool that measured does not say it, and nothing is made up",
            Extent.Both),
        (IsInDoubt, InDoubtLegend, Extent.Details),
        (cell => cell == Missing, MissingLegend, Extent.Both),
        (cell => cell.StartsWith(AtLeast), "max >: at least this; a sample without a value had waited that long",
            Extent.Both),
        (cell => cell == Negative,
            $"{Negative}: not known, because values were below 0: the two clocks are not known so well", Extent.Both),
    ];

    public const string InDoubtLegend = "~: the machine can have made this; see docs/doubtful.md";

    /// <summary>Whether percentiles that no column has samples enough for are left out of the details, too.</summary>
    public bool ShowsKnownOnly { get; init; }

    public Table ToTable()
    {
        var table = new Table([string.Empty, .. columns.Select(column => column.Head)])
        {
            Columns = [Extent.Both, .. columns.Select(column => column.Extent)],
        };
        AddRow(table, "n", series => Quantity.Count(series.Count));
        AddRow(table, "min", series => Show(series.Min));
        AddRow(table, "mean", series => ShowWhole(series, series.Mean));
        var known = Known(RowsIn(Extent.Answer)).ToHashSet();
        foreach (var percentile in ShowsKnownOnly ? known : All(RowsIn(Extent.Details)))
        {
            AddRow(
                table, NameOf(percentile), series => Show(series, percentile),
                known.Contains(percentile) ? Extent.Both : Extent.Details);
        }

        AddRow(table, "max", series => series.MaxAtLeast is { } least
            ? $"{AtLeast}{Show(least)}"
            : ShowWhole(series, series.Max));
        return table;
    }

    /// <summary>Says what cells of tables mean that are no number.</summary>
    public static void Explain(Section section, params IReadOnlyList<Table> tables)
    {
        foreach (var (isExplained, text, extent) in Legends)
            section.Add(new Legend(tables, isExplained, text), extent);
    }

    /// <summary>The legend of "missing" alone.</summary>
    public static Legend ExplainMissing(Table table) => new([table], cell => cell == Missing, MissingLegend);

    /// <summary>How many values of a series are out of range; null where none is.</summary>
    public static string? OutOfRange(LatencySeries series, string name = "") =>
        series.AboveRange > 0 || series.BelowRange > 0
            ? $"{name}out of range, slower or quicker than all others: "
                + $"{Quantity.Count(series.AboveRange)} above, {Quantity.Count(series.BelowRange)} negative"
            : null;

    public static bool IsInDoubt(string cell) => cell.StartsWith(InDoubt, StringComparison.Ordinal);

    public static IEnumerable<double> All(IEnumerable<PercentileRow> rows) =>
        PercentileTable.With(rows.Select(row => row.Percentile));

    public static IEnumerable<double> Known(IReadOnlyCollection<PercentileRow> rows) => All(rows)
        .Where(percentile => rows.Any(row => row.Percentile == percentile && row.IsKnown));

    public static string WordFor(PercentileRow? row) => row?.Unknown switch
    {
        UnknownPercentile.MissingSamples => Missing,
        UnknownPercentile.Negative => Negative,
        UnknownPercentile.NotGiven => NotGiven,
        _ => TooFew,
    };

    /// <summary>What precedes a percentile that the machine can have made.</summary>
    public static string MarkOf(PercentileRow row) => row.InDoubt ? InDoubt : string.Empty;

    /// <summary>A percentile with its unit; a word where it is not known.</summary>
    public static string Cell(PercentileRow? row) =>
        row is { Value: { } known } ? MarkOf(row) + Quantity.Duration(known) : WordFor(row);

    public static string NameOf(double percentile) =>
        string.Create(CultureInfo.InvariantCulture, $"p{percentile:0.###}");

    private List<PercentileRow> RowsIn(Extent extent) =>
    [
        .. columns.Where(column => column.Extent.HasFlag(extent)).SelectMany(column => column.Series.Percentiles),
    ];

    private void AddRow(Table table, string name, Func<LatencySeries, string> cell, Extent extent = Extent.Both) =>
        table.Add(extent, [name, .. columns.Select(column => cell(column.Series))]);

    private string Show(double? nanoseconds) => Quantity.Duration(nanoseconds, unit);

    private string ShowWhole(LatencySeries series, double? nanoseconds) =>
        series.Count == 0 || nanoseconds is not null ? Show(nanoseconds) : WordForWhole(series);

    // Why mean and maximum have no value although there are samples. Another tool does not say what is out of range.
    private static string WordForWhole(LatencySeries series) => series.BelowRange > 0 ? Negative
        : series.Missing > 0 || series.AboveRange is not null ? Missing
        : NotGiven;

    private string Show(LatencySeries series, double percentile)
    {
        if (series.Count == 0)
            return Quantity.None;
        var row = series.Percentiles.At(percentile);
        return row?.Value is { } value ? MarkOf(row) + Quantity.Duration(value, unit) : WordFor(row);
    }
}
