using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Matrix;

/// <summary>One-way latency between regions: from where a producer stood to each consumer that it measured.</summary>
public static class OneWayMatrix
{
    private const string FromIntended = "forward-intended";
    private const string FromSent = "forward";

    /// <summary>A row for each pair; null where fewer than two are of producers that say their region.</summary>
    public static Section? Of(IEnumerable<RunRecord> runs)
    {
        var rows = (
            from run in runs
            where run.Region is not null
            from summary in run.Summaries
            from pair in summary.OneWay
            where pair.Grade is not null
            orderby run.Region, pair.Consumer
            select RowOf(run.Region ?? string.Empty, run, pair)).ToList();
        if (rows.Count < 2)
            return null;
        var table = new Table("from", "to", "p50", "p99", "max", "±E", "grade", "messages");
        rows.ForEach(row => table.Add(row));
        return new Section("From the intended send, where there is a schedule, until the consumer had it").Add(table)
            .Add(rows.Exists(row => row[^1].EndsWith('!'))
                ? "!: the run was partial, doubtful or not valid. Of grade F clocks contradict each other." : null);
    }

    private static string[] RowOf(string region, RunRecord run, OneWayPair pair)
    {
        var series = pair.Grade == OneWayGrade.F ? null
            : pair.Series.FirstOrDefault(one => one.Name == FromIntended)
            ?? pair.Series.FirstOrDefault(one => one.Name == FromSent);
        var isInDoubt = run.Partial || run.Verdict.Status != VerdictStatus.Valid;
        return
        [
            region,
            pair.Consumer,
            At(50),
            At(99),
            series?.Max is { } max ? Quantity.Duration(max) : Quantity.None,
            series is null ? Quantity.None : Quantity.Duration(series.ErrorNs),
            $"{pair.Grade}",
            Quantity.Count(series?.Count ?? 0) + (isInDoubt ? " !" : string.Empty),
        ];

        string At(double percentile) => series is null ? Quantity.None
            : LatencyTable.Cell(series.Percentiles.At(percentile));
    }
}
