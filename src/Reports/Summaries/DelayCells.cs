using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>A series' figures as cells; one known as a wide interval only shows its least and its most end.</summary>
internal sealed class DelayCells(RunSummary summary, string name, Func<double, string> show)
{
    private readonly LatencySeries? _series = Find(summary, name);
    private readonly LatencySeries? _least = Find(summary, Measured.LowerOf(name));
    private readonly LatencySeries? _most = Find(summary, Measured.UpperOf(name));

    private static readonly (Func<string, bool> IsExplained, string Text)[] Legends =
    [
        (cell => cell == LatencyTable.TooFew,
            "few: fewer than ten samples lie above that percentile, so it is not known"),
        (cell => cell == LatencyTable.Missing,
            "missing: not known, because samples have no value (missing, overwritten, refused, unsent "
            + "or unread, or the writer's clock was not known) and count as slower than all others"),
        (LatencyTable.IsInDoubt, LatencyTable.InDoubtLegend),
        (cell => cell.Contains(Between, StringComparison.Ordinal),
            "a..b: between these two; polls were too far apart to know more"),
    ];

    /// <summary>Says what cells of a table mean that are no number, one sentence each.</summary>
    public static void Explain(Section section, Table table)
    {
        foreach (var (isExplained, text) in Legends)
            section.Add(new Legend([table], isExplained, text));
    }

    public const string Between = "..";

    /// <summary>Null where the percentile is known otherwise than as a wide interval.</summary>
    public static (long Least, long Most)? EndsOf(RunSummary summary, string name, double percentile) =>
        RowOf(Find(summary, name), percentile)?.Unknown == UnknownPercentile.WideInterval
        && RowOf(Find(summary, Measured.LowerOf(name)), percentile)?.Value is { } least
        && RowOf(Find(summary, Measured.UpperOf(name)), percentile)?.Value is { } most
            ? (least, most)
            : null;

    public string Count => Quantity.Count(_series?.Count ?? 0);

    public string Of(Func<LatencySeries, double?> statistic)
    {
        if (_series is null)
            return Quantity.None;
        if (statistic(_series) is { } known)
            return show(known);
        // What is missing is slower than all that came: it leaves the smallest as it is.
        if (_least is not null && _most is not null && statistic(_least) is { } least && statistic(_most) is { } most)
            return Interval(least, most);
        return _series.Missing > 0 || _series.AboveRange > 0 ? LatencyTable.Missing : Quantity.None;
    }

    public string Percentile(double percentile)
    {
        if (_series is null)
            return Quantity.None;
        var row = RowOf(_series, percentile);
        return row?.Value is { } value ? LatencyTable.MarkOf(row) + show(value)
            : EndsOf(summary, name, percentile) is var (least, most) ? Interval(least, most)
            : LatencyTable.WordFor(row);
    }

    private static LatencySeries? Find(RunSummary summary, string name) =>
        summary.Latencies.FirstOrDefault(
            series => series.Name == name && (series.Count is not 0 || series.Missing > 0));

    private static PercentileRow? RowOf(LatencySeries? series, double percentile) => series?.Percentiles.At(percentile);

    private string Interval(double least, double most) => $"{show(least)}{Between}{show(most)}";
}
