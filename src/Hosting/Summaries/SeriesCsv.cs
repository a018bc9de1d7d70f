using System.Globalization;
using RedisLatency.Hosting.Output;
using RedisLatency.Metrics.Results.Records;
using RedisLatency.Metrics.Results.Records.Summaries;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Hosting.Summaries;

/// <summary>Prints a run record as CSV: a row for each series of each target, times in nanoseconds.</summary>
internal static class SeriesCsv
{
    public static void Write(RunRecord record, TextWriter writer)
    {
        var csv = new CsvWriter(writer);
        csv.WriteRow(
        [
            "run", "role", "instance", "region", "target", "valid", "partial",
            "asked", "sent", "unsent", "returned", "lost", "late", "duplicated", "reordered", "wrong",
            "series", "count", "min_ns", "mean_ns",
            .. PercentileTable.Percentiles.Select(percentile => $"p{Text(percentile)}_ns"), "max_ns",
        ]);
        foreach (var summary in record.Summaries)
        {
            foreach (var series in summary.Latencies)
                csv.WriteRow([.. RowOf(record, summary, series)]);
        }
    }

    private static IEnumerable<string> RowOf(RunRecord record, RunSummary summary, LatencySeries series)
    {
        var counts = summary.Counts;
        return
        [
            record.Run, record.Role, record.Instance, record.Region ?? string.Empty, summary.Name,
            record.Verdict.Valid ? "true" : "false", record.Partial ? "true" : "false",
            Text(counts.Asked), Text(counts.Sent), Text(counts.Unsent), Text(counts.Returned), Text(counts.Lost),
            Text(counts.Late), Text(counts.Duplicated), Text(counts.Reordered), Text(counts.Wrong),
            series.Name, Text(series.Count), Text(series.Min), Text(series.Mean),
            .. PercentileTable.Percentiles.Select(percentile =>
                Text(series.Percentiles.FirstOrDefault(row => row.Percentile == percentile)?.Value)),
            Text(series.Max),
        ];
    }

    // Empty where there is no number, or not enough samples to tell it.
    private static string Text(double? number) =>
        number?.ToString("0.###", CultureInfo.InvariantCulture) ?? string.Empty;

    private static string Text(long? number) => number?.ToString(CultureInfo.InvariantCulture) ?? string.Empty;
}
