using System.Globalization;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>The table and the distribution that memtier_benchmark prints (run_stats.cpp, run_stats::print).</summary>
internal sealed class MemtierTable(MemtierOptions options)
{
    private const int StepsPerHalfDistance = 10;
    private const string None = "---";
    private const long MostUs = 600_000_000;

    private bool HasCommands => options.Commands.Count > 0;

    // As the original counts the digits, with what is lost in a float: 99.990.
    public static string NumberOf(double percentile)
    {
        var (rest, digits) = ((float)percentile, 0);
        for (rest -= (int)rest; rest > 0.001f && digits < 3; digits++)
        {
            rest *= 10;
            rest -= (int)rest;
        }

        return ((double)(float)percentile).ToString($"F{digits}", CultureInfo.InvariantCulture);
    }

    public ReportedLatencies LatenciesOf(params IEnumerable<LatencyHistogram> parts)
    {
        var all = LatencyHistogram.ForLatency();
        foreach (var part in parts)
            all.Add(part);
        return options.AsOriginal ? ReportedLatencies.Original(all, MostUs, 2) : ReportedLatencies.Exact(all);
    }

    /// <summary>The steps of a distribution; of no values the original has one.</summary>
    public static IEnumerable<(double Percentile, double Milliseconds, long Count)> StepsOf(ReportedLatencies values) =>
        values.AtLeast.Histogram.TotalCount > 0 ? values.AtLeast.Steps(StepsPerHalfDistance) : [(100, 0, 0)];

    /// <summary>Writes one table; of several runs the average.</summary>
    public void Write(TextWriter output, string heading, IReadOnlyList<MemtierRun> runs)
    {
        var width = Math.Max(6, runs[0].Rows.Max(row => row.Title.Length)) + 1;
        var columns = ColumnsOf(width);
        var whole = columns.Sum(column => column.Heading.Length);
        output.WriteLine();
        output.WriteLine();
        output.WriteLine(heading);
        output.WriteLine(new string('=', whole));
        output.WriteLine(string.Concat(columns.Select(column => column.Heading)));
        output.WriteLine(new string('-', whole));
        for (var place = 0; place <= runs[0].Rows.Count; place++)
        {
            var rows = RowsAt(runs, place);
            output.WriteLine(string.Concat(columns.Select(column => column.Text(rows))));
        }

        if (!options.HidesHistogram)
            WriteDistribution(output, runs);
    }

    /// <summary>A row of each run; the one behind the last is that of the totals.</summary>
    public static List<(MemtierRow Row, double Seconds)> RowsAt(IEnumerable<MemtierRun> runs, int place) =>
        [.. runs.Select(run => (place < run.Rows.Count ? run.Rows[place] : run.Totals, run.Seconds))];

    private void WriteDistribution(TextWriter output, IReadOnlyList<MemtierRun> runs)
    {
        output.WriteLine();
        output.WriteLine();
        output.WriteLine("Request Latency Distribution");
        output.WriteLine($"{"Type",-6} {"<= msec   ",12} {"Percent",12}");
        output.WriteLine(new string('-', 72));
        var names = runs[0].Rows.Select(row => row.Name).ToList();
        foreach (var (place, name) in names.Index())
        {
            var values = LatenciesOf(RowsAt(runs, place).Select(row => row.Row.Latencies));
            foreach (var (percentile, milliseconds, _) in StepsOf(values))
                output.WriteLine(FrontEnd.Text($"{name,-6} {milliseconds,8:F3} {percentile,12:F3}"));
            // The original has no line after the last of its three.
            if (HasCommands || place < names.Count - 1)
                output.WriteLine(None);
        }
    }

    private List<MemtierColumn> ColumnsOf(int width)
    {
        List<MemtierColumn> columns =
        [
            new("Type".PadRight(width) + " ", rows => rows[0].Row.Title.PadRight(width) + " "),
            Rate("Ops/sec", row => row.Count),
        ];
        if (!HasCommands)
        {
            columns.Add(Rate("Hits/sec", row => Reads(row) ? row.Hits : null));
            columns.Add(Rate("Misses/sec", row => Reads(row) ? row.Misses : null));
        }

        if (options.IsCluster)
        {
            columns.Add(Rate("MOVED/sec", row => IsWait(row) ? null : row.Moved));
            columns.Add(Rate("ASK/sec", row => IsWait(row) ? null : row.Ask));
        }

        columns.Add(Latency("Avg. Latency", latencies => latencies.Mean));
        columns.AddRange(options.Percentiles.Select(percentile =>
            Latency($"p{NumberOf(percentile)} Latency", latencies => latencies.At(percentile))));
        columns.Add(Rate("KB/sec", row => IsWait(row) ? null : row.Bytes / 1024.0));
        return columns;
    }

    private bool IsWait(MemtierRow row) => row.Name == "WAIT" && !HasCommands;

    private static bool Reads(MemtierRow row) => row.Name is "GET" or "TOTALS";

    private static MemtierColumn Rate(string heading, Func<MemtierRow, double?> of) => new(
        $"{heading,12} ",
        rows => rows.Average(row => of(row.Row) / row.Seconds) is { } rate
            ? FrontEnd.Text($"{rate,12:F2} ")
            : $"{None,12} ");

    private MemtierColumn Latency(string heading, Func<ReportedLatencies, double?> of) => new(
        $"{heading,15} ",
        rows => LatenciesOf(rows.Select(row => row.Row.Latencies)) is { Histogram.TotalCount: > 0 } latencies
            && of(latencies) is { } known
            ? FrontEnd.Text($"{known,15:F5} ")
            : $"{None,15} ");

    private sealed record MemtierColumn(
        string Heading, Func<IReadOnlyList<(MemtierRow Row, double Seconds)>, string> Text);
}
