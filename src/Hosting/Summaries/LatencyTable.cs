using System.Globalization;
using RedisLatency.Hosting.Output;
using RedisLatency.Metrics.Results.Records.Summaries;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Hosting.Summaries;

/// <summary>Latencies as a table: statistics down, series across.</summary>
internal sealed class LatencyTable(IReadOnlyList<(string Head, LatencySeries Series)> columns, DurationUnit unit)
{
    private const string TooFew = "few";

    public void WriteTo(TextWriter writer)
    {
        var table = new TextTable([string.Empty, .. columns.Select(column => column.Head)]);
        AddRow(table, "n", series => Quantity.Count(series.Count));
        AddRow(table, "min", series => Show(series.Min));
        AddRow(table, "mean", series => Show(series.Mean));
        foreach (var percentile in PercentileTable.Percentiles)
            AddRow(table, NameOf(percentile), series => Show(series, percentile));
        AddRow(table, "max", series => Show(series.Max));
        table.WriteTo(writer);
    }

    /// <summary>Says what <c>few</c> means, where it stands in the table.</summary>
    public void WriteLegend(TextWriter writer)
    {
        if (columns.Any(column => column.Series.Percentiles.Any(row => row.Value is null)))
            SummaryText.Line(writer, "few: fewer than ten samples lie above that percentile, so it is not known");
    }

    /// <summary>A percentile's name: <c>p99.9</c>.</summary>
    public static string NameOf(double percentile) =>
        string.Create(CultureInfo.InvariantCulture, $"p{percentile:0.###}");

    private void AddRow(TextTable table, string name, Func<LatencySeries, string> cell) =>
        table.Add([name, .. columns.Select(column => cell(column.Series))]);

    private string Show(double? nanoseconds) =>
        nanoseconds is { } value ? Quantity.Duration(value, unit) : Quantity.None;

    private string Show(LatencySeries series, double percentile)
    {
        if (series.Count == 0)
            return Quantity.None;
        var row = series.Percentiles.FirstOrDefault(known => known.Percentile == percentile);
        return row?.Value is { } value ? Quantity.Duration(value, unit) : TooFew;
    }
}
