using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>
/// Prints a workload's record as CSV: a row for each series of each phase, times in nanoseconds; counts are those of
/// the series' operation, or of all.
/// </summary>
public static class WorkloadCsv
{
    public static void Write(RunRecord record, TextWriter writer)
    {
        var csv = new CsvWriter(writer);
        csv.WriteRow(
        [
            "run", "instance", "region", "verdict", "partial", "group", "phase", "floor", "threads",
            "connections_per_thread", "pipeline", "loop", "busy_share", "cpu_ns_per_operation",
            "allocated_bytes_per_operation", "server_cpu_share", "seconds",
            "asked_per_second", "achieved_per_second", "asked", "unsent", "series",
            "sent", "completed", "hits", "misses", "errors",
            "timed_out", "lost", "retried", "mismatched", "count", "missing", "min_ns", "mean_ns",
            .. PercentileTable.Percentiles.Select(percentile => $"p{Text(percentile)}_ns"), "max_ns",
            "published_qps", "published_avg_us", "published_p99_us", .. SeriesCsv.IntervalColumns,
        ]);
        foreach (var summary in record.Summaries.Where(summary => summary.Workload is not null))
        {
            foreach (var series in summary.Latencies)
                csv.WriteRow([.. PhaseCells(record, summary), .. SeriesCells(WorkloadResults.Of(summary), series)]);
        }
    }

    private static IEnumerable<string> PhaseCells(RunRecord record, RunSummary summary)
    {
        var workload = WorkloadResults.Of(summary);
        return
        [
            record.Run, record.Instance, record.Region ?? string.Empty, SummaryText.Word(record.Verdict.Status),
            Text(record.Partial), workload.Group ?? string.Empty, workload.Phase, Text(workload.IsFloor),
            Text(workload.Engine.Threads),
            Text(workload.Engine.ConnectionsPerThread), Text(workload.Engine.Pipeline), workload.Engine.Loop,
            Text(workload.Engine.BusyShare), Text(workload.Engine.CpuPerOperationNs),
            Text(workload.Engine.AllocatedBytesPerOperation), Text(workload.Engine.ServerCpuShare),
            Text(summary.DurationNs / 1e9),
            Text(summary.Rates.Asked), Text(summary.Rates.Achieved), Text(summary.Counts.Asked),
            Text(summary.Counts.Unsent),
        ];
    }

    private static IEnumerable<string> SeriesCells(WorkloadResult workload, LatencySeries series)
    {
        // A name may begin with another: read-2-service is of read-2, not of read.
        var own = workload.Operations
            .Where(operation => series.Name.StartsWith($"{operation.Name}-", StringComparison.Ordinal))
            .MaxBy(operation => operation.Name.Length);
        IReadOnlyList<OperationResult> counted = own is null ? workload.Operations : [own];
        var published = workload.Published.FirstOrDefault(
            figure => figure.Category is null && figure.Operation == own?.Name);
        return
        [
            series.Name,
            Text(counted.Sum(operation => operation.Sent)), Text(counted.Sum(operation => operation.Completed)),
            Text(counted.Sum(operation => operation.Hits)), Text(counted.Sum(operation => operation.Misses)),
            Text(counted.Sum(operation => operation.Errors)), Text(counted.Sum(operation => operation.TimedOut)),
            Text(counted.Sum(operation => operation.Lost)), Text(counted.Sum(operation => operation.Retried)),
            Text(counted.Sum(operation => operation.Mismatched)),
            Text(series.Count), Text(series.Missing), Text(series.Min), Text(series.Mean),
            .. PercentileTable.Percentiles.Select(percentile => Text(
                series.Percentiles.FirstOrDefault(row => row.Percentile == percentile)?.Value)),
            Text(series.Max), Text(published?.Qps), Text(published?.AverageUs), Text(published?.P99Us),
            .. SeriesCsv.Intervals(series.Percentiles),
        ];
    }

    private static string Text(bool value) => value ? "true" : "false";

    private static string Text(double? number) =>
        number?.ToString("0.###", CultureInfo.InvariantCulture) ?? string.Empty;

    private static string Text(long? number) => number?.ToString(CultureInfo.InvariantCulture) ?? string.Empty;
}
