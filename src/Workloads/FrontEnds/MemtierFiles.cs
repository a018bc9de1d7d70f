using System.Globalization;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>The files of --hdr-file-prefix: percentiles as text, and an HDR log of one line.</summary>
internal sealed class MemtierFiles(
    MemtierOptions options, MemtierTable table, OutputFiles files, Action<string> tell)
{
    private const int StepsPerHalfDistance = 10;

    public void Write(MemtierRun run, int number)
    {
        if (options.HdrPrefix is null)
            return;
        Write(run, run.Totals, $"FULL_RUN_{number}", "Full Run");
        foreach (var row in run.Rows)
            Write(run, row, $"{row.Name}_command_run_{number}", row.Name);
    }

    private void Write(MemtierRun run, MemtierRow row, string name, string what)
    {
        var values = table.LatenciesOf(row.Latencies);
        if (values.Histogram.TotalCount == 0)
            return;
        var path = $"{options.HdrPrefix}_{name}";
        tell($"Writing {what} command HDR latency histogram results to {path}.txt...");
        files.WriteText($"{path}.txt", text => WritePercentiles(text, values));
        tell($"Writing {what} command HDR latency histogram results in HistogramLogProcessor format to {path}.hgrm...");
        files.WriteText(
            $"{path}.hgrm", log => WriteLog(log, run, values, $"{what} command HDR latency histogram results"));
    }

    // hdr_percentiles_print, CLASSIC.
    private static void WritePercentiles(TextWriter text, ReportedLatencies values)
    {
        text.WriteLine($"{"Value",12} {"Percentile",12} {"TotalCount",12} {"1/(1-Percentile)",12}");
        text.WriteLine();
        foreach (var (percentile, milliseconds, count) in values.Steps(StepsPerHalfDistance))
        {
            var share = percentile / 100;
            var distance = share < 1 ? FrontEnd.Text($"{1 / (1 - share),12:F2}") : $"{"inf",12}";
            text.WriteLine(FrontEnd.Text($"{milliseconds,12:F2} {share,12:F6} {count,12} ") + distance);
        }

        var deviation = values.Histogram.StandardDeviation / values.PerMillisecond;
        text.WriteLine(FrontEnd.Text($"#[Mean    = {values.Mean,12:F3}, StdDeviation   = {deviation,12:F3}]"));
        text.WriteLine(FrontEnd.Text(
            $"#[Max     = {values.Max,12:F3}, Total count    = {values.Histogram.TotalCount,12}]"));
        text.WriteLine(FrontEnd.Text(
            $"#[Buckets = {values.Histogram.BucketCount,12}, SubBuckets     = {values.Histogram.SubBucketCount,12}]"));
    }

    private static void WriteLog(TextWriter log, MemtierRun run, ReportedLatencies values, string heading)
    {
        var start = run.StartedAt.ToUnixTimeMilliseconds() / 1e3;
        var when = run.StartedAt.ToString("ddd MMM HH:mm:ss 'GMT' yyyy", CultureInfo.InvariantCulture);
        log.WriteLine($"#[{heading}]");
        log.WriteLine("#[Histogram log format version 1.2]");
        log.WriteLine(FrontEnd.Text($"#[StartTime: {start:F3} (seconds since epoch), {when}]"));
        log.WriteLine("\"StartTimestamp\",\"EndTimestamp\",\"Interval_Max\",\"Interval_Compressed_Histogram\"");
        log.WriteLine(FrontEnd.Text($"{start:F3},{start + run.Seconds:F3},{values.Max * 1000:F1},")
            + MemtierJsonReport.Encoded(values));
    }
}
