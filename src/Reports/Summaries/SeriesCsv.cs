using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>Prints a run record as CSV: a row for each series of each target, times in nanoseconds.</summary>
public static class SeriesCsv
{
    /// <summary>Where the 95 % intervals of the percentiles begin and end; empty where one is not known.</summary>
    public static IEnumerable<string> IntervalColumns => PercentileTable.Percentiles.SelectMany(
        percentile => new[] { $"p{Text(percentile)}_lower_ns", $"p{Text(percentile)}_upper_ns" });

    public static IEnumerable<string> Intervals(IReadOnlyList<PercentileRow> rows) =>
        PercentileTable.Percentiles.Select(percentile => rows.FirstOrDefault(row => row.Percentile == percentile))
            .SelectMany(row => new[] { Text(row?.Lower), Text(row?.Upper) });

    public static void Write(RunRecord record, TextWriter writer)
    {
        var csv = new CsvWriter(writer);
        csv.WriteRow(
        [
            "run", "role", "instance", "region", "target", "verdict", "partial",
            "asked", "sent", "unsent", "returned", "lost", "late", "duplicated", "reordered", "wrong",
            "series", "count", "min_ns", "mean_ns",
            .. PercentileTable.Percentiles.Select(percentile => $"p{Text(percentile)}_ns"), "max_ns",
            "consumer", "error_ns", "negatives", "grade", .. IntervalColumns,
        ]);
        foreach (var summary in record.Summaries)
        {
            foreach (var series in summary.Latencies)
                csv.WriteRow([.. RowOf(record, summary, series)]);
            foreach (var pair in summary.OneWay)
            {
                foreach (var series in pair.Series)
                    csv.WriteRow([.. RowOf(record, summary, pair, series)]);
            }
        }
    }

    private static IEnumerable<string> RowOf(RunRecord record, RunSummary summary, LatencySeries series) =>
    [
        .. Whose(record, summary),
        series.Name, Text(series.Count), Text(series.Min), Text(series.Mean), .. Texts(series.Percentiles),
        Text(series.Max), string.Empty, string.Empty, string.Empty, string.Empty, .. Intervals(series.Percentiles),
    ];

    private static IEnumerable<string> RowOf(
        RunRecord record, RunSummary summary, OneWayPair pair, OneWaySeries series) =>
    [
        .. Whose(record, summary),
        series.Name, Text(series.Count), Text(series.Min), Text(series.Mean), .. Texts(series.Percentiles),
        Text(series.Max), pair.Consumer, Text(series.ErrorNs), Text(series.Negatives),
        pair.Grade?.ToString() ?? string.Empty, .. Intervals(series.Percentiles),
    ];

    private static IEnumerable<string> Whose(RunRecord record, RunSummary summary)
    {
        var counts = summary.Counts;
        return
        [
            record.Run, record.Role, record.Instance, record.Region ?? string.Empty, summary.Name,
            SummaryText.Word(record.Verdict.Status), record.Partial ? "true" : "false",
            Text(counts.Asked), Text(counts.Sent), Text(counts.Unsent), Text(counts.Returned), Text(counts.Lost),
            Text(counts.Late), Text(counts.Duplicated), Text(counts.Reordered), Text(counts.Wrong),
        ];
    }

    private static IEnumerable<string> Texts(IReadOnlyList<PercentileRow> rows) => PercentileTable.Percentiles.Select(
        percentile => Text(rows.FirstOrDefault(row => row.Percentile == percentile)?.Value));

    // Empty where there is no number, or not enough samples to tell it.
    private static string Text(double? number) =>
        number?.ToString("0.###", CultureInfo.InvariantCulture) ?? string.Empty;

    private static string Text(long? number) => number?.ToString(CultureInfo.InvariantCulture) ?? string.Empty;
}

/// <summary>
/// Prints what a Consumer served as CSV: a row for each stream of a producer; empty where a number is not known.
/// </summary>
public static class ServedCsv
{
    public static void Write(ServedRecord served, TextWriter writer)
    {
        var csv = new CsvWriter(writer);
        csv.WriteRow(
            "run", "instance", "region", "stream", "received", "warm_up", "sent", "lost", "duplicated", "reordered",
            "ended");
        foreach (var producer in served.Producers)
        {
            var counts = producer.Counts;
            csv.WriteRow(
                producer.Run,
                producer.Instance,
                producer.Region ?? string.Empty,
                Text(producer.Stream),
                Text(counts.Received),
                Text(producer.WarmUp),
                Text(counts.Sent),
                Text(counts.Lost),
                Text(counts.Duplicated),
                Text(counts.Reordered),
                producer.HasEnded ? "true" : "false");
        }
    }

    private static string Text(long? number) => number?.ToString(CultureInfo.InvariantCulture) ?? string.Empty;
}
