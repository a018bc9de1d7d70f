using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>A run record for programs: a row for each series of each target, times in nanoseconds.</summary>
internal static class SeriesCsv
{
    private static readonly Metric[] CountColumns =
    [
        Counted.Asked, Counted.Sent, Counted.Unsent, Counted.Returned, Counted.Lost, Counted.Late, Counted.Duplicated,
        Counted.Reordered, Counted.Wrong,
    ];

    internal static IEnumerable<string> PercentileColumns =>
        PercentileTable.Percentiles.Select(percentile => $"{LatencyTable.NameOf(percentile)}_ns");

    /// <summary>Where the 95 % intervals of the percentiles begin and end; empty where one is not known.</summary>
    internal static IEnumerable<string> IntervalColumns => PercentileTable.Percentiles.Select(LatencyTable.NameOf)
        .SelectMany(name => new[] { $"{name}_lower_ns", $"{name}_upper_ns" });

    public static Table Of(RunRecord record)
    {
        var table = new Table(
        [
            "run", "role", "instance", "region", "target", "verdict", "partial",
            .. CountColumns.Select(metric => metric.Name),
            "series", "count", "min_ns", "mean_ns", .. PercentileColumns, "max_ns",
            "consumer", "error_ns", "negatives", "grade", .. IntervalColumns, "missing",
        ]);
        foreach (var summary in record.Summaries)
        {
            foreach (var series in summary.Latencies)
            {
                table.AddValues(
                [
                    .. Whose(record, summary), series.Name, series.Count, series.Min, series.Mean,
                    .. Values(series.Percentiles), series.Max, null, ErrorOf(summary, series),
                    series.BelowRange > 0 ? series.BelowRange : null, null, .. Intervals(series.Percentiles),
                    series.Missing,
                ]);
            }

            foreach (var (pair, series) in summary.OneWay.SelectMany(pair => pair.Series.Select(one => (pair, one))))
            {
                table.AddValues(
                [
                    .. Whose(record, summary), series.Name, series.Count, series.Min, series.Mean,
                    .. Values(series.Percentiles), series.Max, pair.Consumer, series.ErrorNs, series.Negatives,
                    pair.Grade, .. Intervals(series.Percentiles), series.Missing,
                ]);
            }
        }

        return table;
    }

    // Delays are between two clocks; lateness is by one.
    private static long? ErrorOf(RunSummary summary, LatencySeries series) =>
        summary.Delay is { ErrorNs: > 0 and var error } && series.Name.StartsWith("delay", StringComparison.Ordinal)
            ? error : null;

    internal static IEnumerable<object?> Values(IReadOnlyList<PercentileRow> rows) =>
        PercentileTable.Percentiles.Select(percentile => (object?)rows.At(percentile)?.Value);

    internal static IEnumerable<object?> Intervals(IReadOnlyList<PercentileRow> rows) =>
        PercentileTable.Percentiles.Select(rows.At).SelectMany(row => new object?[] { row?.Lower, row?.Upper });

    private static IEnumerable<object?> Whose(RunRecord record, RunSummary summary)
    {
        return
        [
            record.Run, record.Role, record.Instance, record.Region, summary.Name,
            VerdictWord.Of(record.Verdict.Status), record.Partial,
            .. CountColumns.Select(metric => (object?)summary.Count(metric)),
        ];
    }
}

/// <summary>
/// What a Consumer served, for programs: a row for each stream of a producer; empty where a number is not known.
/// </summary>
internal static class ServedCsv
{
    public static Table Of(ServedRecord served)
    {
        var table = new Table(
            "run", "instance", "region", "stream", "received", "warm_up", "sent", "lost", "duplicated", "reordered",
            "ended");
        foreach (var producer in served.Producers)
        {
            table.AddValues(
                producer.Run, producer.Instance, producer.Region, producer.Stream, producer.Count(Counted.Received),
                producer.WarmUp, producer.Count(Counted.Sent), producer.Count(Counted.Lost),
                producer.Count(Counted.Duplicated), producer.Count(Counted.Reordered), producer.HasEnded);
        }

        return table;
    }
}
