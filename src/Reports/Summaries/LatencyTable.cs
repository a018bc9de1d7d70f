using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;

namespace RedisLatency.Reports.Summaries;

/// <summary>Latencies as a table: statistics down, series across.</summary>
internal sealed class LatencyTable(IReadOnlyList<(string Head, LatencySeries Series)> columns, DurationUnit unit)
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

    public const string InDoubtLegend = "~: the machine can have made this; see docs/doubtful.md";

    public const string MissingLegend =
        "missing: not known, because samples have no value (lost, timed out, refused or "
        + "never sent) and count as slower than all others";

    private const string AtLeastLegend = "max >: at least this; a sample without a value had waited that long";

    /// <summary>Whether percentiles that no column has samples enough for are left out.</summary>
    public bool ShowsKnownOnly { get; init; }

    public void WriteTo(TextWriter writer)
    {
        var rows = columns.SelectMany(column => column.Series.Percentiles).ToList();
        var table = new TextTable([string.Empty, .. columns.Select(column => column.Head)]);
        AddRow(table, "n", series => Quantity.Count(series.Count));
        AddRow(table, "min", series => Show(series.Min));
        AddRow(table, "mean", series => ShowWhole(series, series.Mean));
        foreach (var percentile in ShowsKnownOnly ? Known(rows) : All(rows))
            AddRow(table, NameOf(percentile), series => Show(series, percentile));
        AddRow(table, "max", series => series.MaxAtLeast is { } least
            ? $">{Show(least)}"
            : ShowWhole(series, series.Max));
        table.WriteTo(writer);
    }

    public void WriteLegend(TextWriter writer, double highest = 100)
    {
        if (columns.Any(column => column.Series.Percentiles.Any(row => row.Percentile <= highest
            && row.Unknown == UnknownPercentile.TooFewSamples)))
            writer.Line("few: fewer than ten samples lie above that percentile, so it is not known");
        if (columns.Any(column => column.Series.Percentiles.Any(row => row.Unknown == UnknownPercentile.NotGiven
            && row.Percentile <= highest)
            || (LacksWhole(column.Series) && WordForWhole(column.Series) == NotGiven)))
            writer.Line($"{NotGiven}: the tool that measured does not say it, and nothing is made up");
        if (columns.Any(column => column.Series.Percentiles.Any(row => row.InDoubt && row.Percentile <= highest)))
            writer.Line(InDoubtLegend);
        if (columns.Any(column => LacksWhole(column.Series) && WordForWhole(column.Series) == Missing))
            writer.Line(MissingLegend);
        if (columns.Any(column => column.Series.MaxAtLeast is not null))
            writer.Line(AtLeastLegend);
        if (columns.Any(column => column.Series.BelowRange > 0))
            writer.Line($"{Negative}: not known, because values were below 0: the two clocks are not known so well");
    }

    public static void WriteOutOfRange(TextWriter writer, LatencySeries series, string name = "")
    {
        if (series.AboveRange > 0 || series.BelowRange > 0)
        {
            writer.Line($"{name}out of range, slower or quicker than all others: "
                + $"{Quantity.Count(series.AboveRange)} above, {Quantity.Count(series.BelowRange)} negative");
        }
    }

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

    public static string NameOf(double percentile) =>
        string.Create(CultureInfo.InvariantCulture, $"p{percentile:0.###}");

    private void AddRow(TextTable table, string name, Func<LatencySeries, string> cell) =>
        table.Add([name, .. columns.Select(column => cell(column.Series))]);

    private string Show(double? nanoseconds) => Quantity.Duration(nanoseconds, unit);

    private string ShowWhole(LatencySeries series, double? nanoseconds) =>
        series.Count == 0 || nanoseconds is not null ? Show(nanoseconds) : WordForWhole(series);

    private static bool LacksWhole(LatencySeries series) =>
        series.Count != 0 && (series.Mean is null || (series.Max is null && series.MaxAtLeast is null));

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
