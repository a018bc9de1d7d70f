using System.Globalization;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>What memtier_benchmark prints and writes (memtier_benchmark.cpp, main and run_benchmark).</summary>
internal sealed class MemtierReport : FrontEnd
{
    private static readonly string[] Usual = ["SET", "GET", "WAIT"];

    private readonly MemtierOptions _options;
    private readonly MemtierTable _table;
    private readonly List<MemtierRun> _runs = [];
    private readonly string[] _rows;
    private readonly int[] _rowOf;
    private readonly Replay? _replay;

    public MemtierReport(MemtierOptions options, IEnumerable<MemtierOperation> operations, Replay? replay)
    {
        (_options, _table, _replay) = (options, new MemtierTable(options), replay);
        List<string> names =
        [
            .. operations.Select(operation => operation.Row),
            .. replay?.Names.Select(name => name.ToUpperInvariant()) ?? [],
        ];
        var isByLine = options is { IsByLine: true, Commands.Count: > 0 };
        _rows = options.Commands.Count == 0 ? Usual : isByLine ? [.. names] : [.. names.Distinct()];
        _rowOf = isByLine
            ? [.. Enumerable.Range(0, names.Count)]
            : [.. names.Select(name => Array.IndexOf(_rows, name))];
    }

    protected override bool IsVerbose => _options.IsDebug;

    protected override IEnumerable<(string Option, string Path)> Outputs
    {
        get
        {
            if (_options.OutFile is { } text)
                yield return ("--out-file", text);
            if (_options.JsonFile is { } json)
                yield return ("--json-out-file", json);
            if (_options.HdrPrefix is { } histograms)
                yield return ("--hdr-file-prefix", $"{histograms}_FULL_RUN_1.txt");
        }
    }

    public override void Begin(PhaseSession session, RunContext run)
    {
        if (_runs.Count == 0)
        {
            if (_replay is not null)
                run.Diagnostics.WriteLine($"Loaded {_replay.Commands.Length} monitor commands");
            if (_options.JsonFile is { } json)
                run.Diagnostics.WriteLine($"Json file {json} created...");
            run.Diagnostics.WriteLine($"Writing results to {_options.OutFile ?? "stdout"}");
        }

        _runs.Add(new MemtierRun(session, _rowOf, _rows, _options));
        run.Diagnostics.WriteLine($"[RUN #{_runs.Count}] Preparing benchmark client...");
        run.Diagnostics.WriteLine($"[RUN #{_runs.Count}] Launching threads now...");
    }

    public override void Show(
        PhaseSession session, in TakenInterval interval, in LiveSnapshot snapshot, RunContext run)
    {
        var began = (interval.EndNs - session.Progress().MeasuredFrom) / 1e9 - interval.Duration.TotalSeconds;
        var part = _runs[^1].Take(session, Math.Max(0, (int)Math.Round(began)));
        var seconds = Math.Max(1e-9, snapshot.Elapsed.TotalSeconds);
        var counts = session.Progress().Counts;
        var all = session.Metrics.Series.First(series => series.Metric.Name == WorkloadMetrics.Service.Name);
        var threads = session.Totals is null && snapshot.Progress < 1 ? _options.Threads : 0;
        var line = Text($"[RUN #{_runs.Count} {100 * (snapshot.Progress ?? 0):F0}%, {Math.Round(seconds),3} secs] ")
            + Text($"{threads,2} threads {_options.Clients,2} conns")
            + (snapshot.Lost > 0 ? Text($" {snapshot.Lost} conn errors") : string.Empty)
            + Text($": {counts.Completed,11} ops, {Rate(part.Count, interval.Duration.TotalSeconds),7} ")
            + Text($"(avg: {Rate(counts.Completed, seconds),7}) ops/sec, ")
            + $"{Size((part.BytesSent + part.BytesReceived) / interval.Duration.TotalSeconds)}/sec "
            + $"(avg: {Size((counts.BytesSent + counts.BytesReceived) / seconds)}/sec), "
            + Text($"{part.Latencies.Mean / 1e6,5:F2} (avg: {all.Total.Mean / 1e6,5:F2}) msec latency");
        run.Diagnostics.WriteOver(line);
    }

    public override void End(PhaseSession session, RunContext run)
    {
        if (!session.HasMeasured)
            return;
        run.Diagnostics.WriteLine(string.Empty);
        run.Diagnostics.WriteLine(string.Empty);
        _runs[^1].End(session, !session.IsWhole);
        new MemtierFiles(_options, _table, Files, line => run.Diagnostics.WriteLine(line))
            .Write(_runs[^1], _runs.Count);
    }

    protected override void Finish(IReadOnlyList<PhaseSession> measured, RunContext run)
    {
        var runs = _runs.Where(one => one.Seconds > 0).ToList();
        if (runs.Count > 1 && runs.RemoveAll(one => one.IsInterrupted) > 0)
        {
            run.Diagnostics.WriteLine(
                $"WARNING: run {_runs.Count} of {_options.RunCount} was interrupted and is left out.");
        }

        var shown = Shown(runs).ToList();
        Print(_options.OutFile, output => WriteText(output, shown), run);
        if (_options.JsonFile is not { } path)
            return;
        Files.Write(path, file =>
        {
            using var json = new MemtierJsonReport(_options, _table, file);
            foreach (var (heading, of) in shown)
                json.Write(heading, of);
        });
    }

    private IEnumerable<(string Heading, IReadOnlyList<MemtierRun> Runs)> Shown(List<MemtierRun> runs)
    {
        if (_options.RunCount == 1)
        {
            yield return ("ALL STATS", runs);
            yield break;
        }

        if (_options.PrintsAllRuns)
        {
            foreach (var (place, one) in runs.Index())
                yield return ($"RUN #{place + 1} RESULTS", [one]);
        }

        yield return ("BEST RUN RESULTS", [runs.MaxBy(one => one.Rate)!]);
        yield return ("WORST RUN RESULTS", [runs.MinBy(one => one.Rate)!]);
        yield return ($"AGGREGATED AVERAGE RESULTS ({runs.Count} runs)", runs);
    }

    private void WriteText(TextWriter output, List<(string Heading, IReadOnlyList<MemtierRun> Runs)> shown)
    {
        output.WriteLine(Text($"{_options.Threads,-9} Threads"));
        output.WriteLine(Text($"{_options.Clients,-9} Connections per thread"));
        output.WriteLine(_options.TestSeconds is { } seconds
            ? Text($"{seconds,-9} Seconds")
            : Text($"{Memtier.RequestsOf(_options),-9} Requests per client"));
        foreach (var (heading, runs) in shown)
            _table.Write(output, heading, runs);
    }

    private static long Rate(long count, double seconds) => (long)(count / seconds);

    private static string Size(double bytes) => bytes switch
    {
        >= 1 << 30 => Text($"{bytes / (1 << 30):F2}GB"),
        >= 1 << 20 => Text($"{bytes / (1 << 20):F2}MB"),
        _ => Text($"{bytes / 1024:F2}KB"),
    };
}

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
        var values = table.LatenciesOf(row.Latencies).AtLeast;
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
