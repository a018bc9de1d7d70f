using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>
/// A workload's record for programs: a row for each series of each phase, times in nanoseconds; counts are those of
/// the series' operation, or of all.
/// </summary>
internal static class WorkloadCsv
{
    public static Table Of(RunRecord record)
    {
        var table = new Table(
        [
            "run", "instance", "region", "verdict", "partial", "group", "phase", "floor", "threads",
            "connections_per_thread", "pipeline", "loop", "busy_share", "cpu_ns_per_operation",
            "allocated_bytes_per_operation", "server_cpu_share", "seconds",
            "asked_per_second", "achieved_per_second", "asked", "unsent", "series",
            .. Counted.OfOperations.Select(metric => metric.Name.Replace('-', '_')), "count", "missing",
            "min_ns", "mean_ns", .. SeriesCsv.PercentileColumns, "max_ns",
            "published_qps", "published_avg_us", "published_p99_us", .. SeriesCsv.IntervalColumns,
        ]);
        foreach (var summary in record.Summaries.Where(summary => summary.Workload is not null))
        {
            // A phase of which nothing was measured has its row, too.
            foreach (var series in summary.Latencies.DefaultIfEmpty())
                table.AddValues([.. PhaseCells(record, summary), .. SeriesCells(summary, series)]);
        }

        return table;
    }

    private static IEnumerable<object?> PhaseCells(RunRecord record, RunSummary summary)
    {
        var workload = WorkloadResults.Of(summary);
        var engine = workload.Engine;
        return
        [
            record.Run, record.Instance, record.Region, VerdictWord.Of(record.Verdict.Status), record.Partial,
            workload.Group, workload.Phase, workload.IsFloor, engine?.Threads, engine?.ConnectionsPerThread,
            engine?.Pipeline, engine?.Loop, summary.Metrics.Value(Cost.Busy),
            summary.Metrics.Value(Cost.CpuPerOperation), summary.Metrics.Value(Cost.AllocatedPerOperation),
            summary.Metrics.Value(Cost.ServerBusy), summary.DurationNs / 1e9,
            summary.Rates.Asked, summary.Rates.Achieved,
            summary.Count(Counted.Asked), summary.Count(Counted.Unsent),
        ];
    }

    private static IEnumerable<object?> SeriesCells(RunSummary summary, LatencySeries? series)
    {
        var workload = WorkloadResults.Of(summary);
        // A name may begin with another: read-2-service is of read-2, not of read.
        var own = workload.Operations
            .Where(operation => series?.Name.StartsWith($"{operation.Name}-", StringComparison.Ordinal) == true)
            .MaxBy(operation => operation.Name.Length);
        var published = workload.Published.FirstOrDefault(
            figure => figure.Category is null && figure.Operation == own?.Name);
        return
        [
            series?.Name,
            .. Counted.OfOperations.Select(metric => (object?)summary.Count(metric, own?.Name)),
            series?.Count, series?.Missing, series?.Min, series?.Mean, .. SeriesCsv.Values(series?.Percentiles ?? []),
            series?.Max, published?.Qps, published?.AverageUs, published?.P99Us,
            .. SeriesCsv.Intervals(series?.Percentiles ?? []),
        ];
    }
}
