using System.Globalization;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Reports.Formats;

/// <summary>The result of a workload's last phase as YCSB prints it, for scripts that read that.</summary>
public static class YcsbText
{
    private const double Microsecond = 1e3;
    private const double Millisecond = 1e6;

    /// <exception cref="ExportException">It is of no workload.</exception>
    /// <exception cref="SavedRunException">The interval log cannot be read.</exception>
    public static void Write(TextWriter writer, SavedRun run)
    {
        var phase = ExportedPhase.In(run)[^1];
        if (phase.Summary.DurationNs is { } duration)
            Line("OVERALL", "RunTime(ms)", Whole(duration / Millisecond));
        if (phase.Summary.Rates.Achieved is { } rate)
            Line("OVERALL", "Throughput(ops/sec)", Real(rate));
        WriteCollections(phase.Record, phase.Summary);
        foreach (var operation in phase.Workload.Operations)
        {
            var name = operation.Name.ToUpperInvariant();
            if (phase.FiguresOf(operation, Measured.Service) is not { } service)
                continue;
            WriteSeries(name, service);
            var completed = phase.Summary.Count(Counted.Completed, operation.Name) ?? 0;
            Line(name, "Return=OK", completed.ToString(CultureInfo.InvariantCulture));
            // What another tool called its errors it is called again.
            var named = phase.Record.Imported is null ? new Dictionary<string, long>() : operation.ErrorReplies;
            foreach (var (error, count) in named)
                Line(name, $"Return={error}", count.ToString(CultureInfo.InvariantCulture));
            if (phase.Summary.Count(Counted.Sent, operation.Name) - completed - named.Values.Sum()
                is > 0 and var failed)
                Line(name, "Return=ERROR", failed.ToString(CultureInfo.InvariantCulture));
            if (phase.FiguresOf(operation, Measured.Response) is { } response)
                WriteSeries($"Intended-{name}", response);
        }

        void WriteCollections(RunRecord from, RunSummary summary)
        {
            if (from.GcPauses is not { } pauses)
                return;
            Line("TOTAL_GCs", "Count", pauses.Collections.ToString(CultureInfo.InvariantCulture));
            Line("TOTAL_GC_TIME", "Time(ms)", Whole(pauses.TotalPauseNs / Millisecond));
            if (summary.DurationNs is > 0 and var lasted)
                Line("TOTAL_GC_TIME_%", "Time(%)", Real(100.0 * pauses.TotalPauseNs / lasted));
        }

        // What is not known has no line.
        void WriteSeries(string name, LatencySeries series)
        {
            if (series.Count is { } count)
                Line(name, "Operations", count.ToString(CultureInfo.InvariantCulture));
            if (series.Mean is { } mean)
                Line(name, "AverageLatency(us)", Real(mean / Microsecond));
            if (series.Min is { } min)
                Line(name, "MinLatency(us)", Whole(min / Microsecond));
            if (series.Max is { } max)
                Line(name, "MaxLatency(us)", Whole(max / Microsecond));
            foreach (var row in series.Percentiles)
            {
                if (row.Value is { } value)
                    Line(name, $"{Ordinal(row.Percentile)}PercentileLatency(us)", Whole(value / Microsecond));
            }
        }

        void Line(string metric, string measurement, string value) =>
            writer.WriteLine($"[{metric}], {measurement}, {value}");
    }

    private static string Ordinal(double percentile)
    {
        var number = percentile.ToString("0.###", CultureInfo.InvariantCulture);
        return number.Contains('.') ? number : $"{number}th";
    }

    private static string Whole(double value) => Math.Round(value).ToString("F0", CultureInfo.InvariantCulture);

    // As Java prints it: 2.0, not 2.
    private static string Real(double value) => value.ToString("0.0###############", CultureInfo.InvariantCulture);
}
