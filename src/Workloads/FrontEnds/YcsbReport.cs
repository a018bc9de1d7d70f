using System.Globalization;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>What YCSB prints: lines of status, and its measurements as text or JSON.</summary>
internal sealed class YcsbReport(YcsbProperties properties) : FrontEnd
{
    private static readonly (string Name, string Operation, string? Part)[] Known =
    [
        ("READ", "read", "rmw-read"), ("UPDATE", "update", "rmw-update"), ("INSERT", "insert", null),
        ("SCAN", "scan", null), ("READ-MODIFY-WRITE", "rmw", null),
    ];

    private readonly Dictionary<string, LatencyHistogram> _sinceStatus = [];
    private DateTimeOffset _startedAt;
    private double _nextStatus;
    private (double Seconds, long Count) _last;
    private int _collectionsBefore;
    private TimeSpan _pausesBefore;

    protected override IEnumerable<(string Option, string Path)> Outputs
    {
        get
        {
            if (properties.ExportFile is { } path)
                yield return ("-p exportfile", path);
            if (properties.WritesLogs)
                yield return ("-p hdrhistogram.output.path", $"{properties.LogPath}{FirstMetric}.hdr");
        }
    }

    private string FirstMetric => properties switch
    {
        { IsLoad: false } and ({ Reads: > 0 } or { ReadModifyWrites: > 0 }) => "READ",
        { IsLoad: false, Updates: > 0 } => "UPDATE",
        { IsLoad: false, InsertShare: 0 } => "SCAN",
        _ => "INSERT",
    };

    public override void Begin(PhaseSession session, RunContext run)
    {
        run.Diagnostics.WriteLine($"YCSB Client of {ProgramVersion.Text}");
        run.Diagnostics.WriteLine(string.Empty);
        run.Diagnostics.WriteLine("Loading workload...");
        run.Diagnostics.WriteLine("Starting test.");
        _startedAt = TimeProvider.System.GetUtcNow();
        (_collectionsBefore, _pausesBefore) = (Collections, GC.GetTotalPauseDuration());
        if (properties.ShowsStatus)
            run.Diagnostics.WriteLine(Status(session, 0, 0, null));
        _nextStatus = properties.StatusSeconds;
    }

    public override void Show(
        PhaseSession session, in TakenInterval interval, in LiveSnapshot snapshot, RunContext run)
    {
        if (!properties.ShowsStatus)
            return;
        foreach (var (name, series, _) in SeriesOf(session))
        {
            if (!_sinceStatus.TryGetValue(name, out var sum))
                _sinceStatus.Add(name, sum = LatencyHistogram.ForLatency());
            foreach (var one in series)
                sum.Add(one.Interval);
        }

        var seconds = snapshot.Elapsed.TotalSeconds;
        var isLast = interval.Duration.TotalSeconds < 0.5 || snapshot.Progress >= 1;
        if (seconds + 0.5 < _nextStatus && !isLast)
            return;
        _nextStatus += properties.StatusSeconds;
        var left = session.Phase.Operations - snapshot.Returned;
        run.Diagnostics.WriteLine(Status(session, seconds, snapshot.Returned, left));
        _last = (seconds, snapshot.Returned);
        foreach (var sum in _sinceStatus.Values)
            sum.Reset();
    }

    protected override void Finish(IReadOnlyList<PhaseSession> measured, RunContext run)
    {
        var session = measured[0];
        var all = Measurements(session).ToList();
        Print(properties.ExportFile, output => Write(output, all), run);
        if (properties.WritesLogs)
            WriteLogs(session);
    }

    private void Write(TextWriter output, List<Measurement> all)
    {
        if (properties.Exporter != "TextMeasurementsExporter")
        {
            WriteJson(output, all, isArray: properties.Exporter == "JSONArrayMeasurementsExporter");
            return;
        }

        foreach (var one in all)
            output.WriteLine($"[{one.Metric}], {one.Name}, {one.Value}");
    }

    private IEnumerable<Measurement> Measurements(PhaseSession session)
    {
        var milliseconds = session.DurationNs / 1e6;
        var completed = session.Measured.Completed;
        yield return new("OVERALL", "RunTime(ms)", Whole((long)Math.Round(milliseconds)));
        yield return new("OVERALL", "Throughput(ops/sec)", Double(1000.0 * completed / milliseconds));
        var pauses = (GC.GetTotalPauseDuration() - _pausesBefore).TotalMilliseconds;
        yield return new("TOTAL_GCs", "Count", Whole(Collections - _collectionsBefore));
        yield return new("TOTAL_GC_TIME", "Time(ms)", Whole((long)pauses));
        yield return new("TOTAL_GC_TIME_%", "Time(%)", Double(100 * pauses / milliseconds));
        foreach (var (name, series, operation) in SeriesOf(session))
        {
            var values = LatencyHistogram.ForLatency();
            foreach (var one in series)
                values.Add(one.Total);
            yield return new(name, "Operations", Whole(values.TotalCount));
            var known = ReportedLatencies.Exact(values);
            if (known.IsWhole)
                yield return new(name, "AverageLatency(us)", Double(values.Mean / 1000));
            if (known.Min is not null)
                yield return new(name, "MinLatency(us)", Whole(values.Min / 1000));
            if (known.IsWhole)
                yield return new(name, "MaxLatency(us)", Whole(values.Max / 1000));
            foreach (var percentile in properties.Percentiles.Where(percentile => known.At(percentile) is not null))
            {
                var value = Whole(known.AtLeast.Histogram.ValueAtPercentile(percentile) / 1000);
                yield return new(name, $"{Ordinal(percentile)}PercentileLatency(us)", value);
            }

            if (operation is null)
                continue;
            foreach (var status in Statuses(session, operation, values.TotalCount))
                yield return status with { Metric = name };
        }
    }

    // A record that is not there is the binding's ERROR.
    private static IEnumerable<Measurement> Statuses(PhaseSession session, string operation, long completed)
    {
        var counts = session.Measured.Operations.FirstOrDefault(one => one.Name == operation)?.Counts ?? default;
        var misses = operation is "read" ? counts.Misses : 0;
        var failed = misses + counts.Errors + counts.TimedOut + counts.Lost;
        if (completed - misses > 0)
            yield return new(string.Empty, "Return=OK", Whole(completed - misses));
        if (failed > 0)
            yield return new(string.Empty, "Return=ERROR", Whole(failed));
    }

    // Those of intended times after all others, as the original's.
    private IEnumerable<(string Name, IReadOnlyList<MetricSeries> Series, string? Operation)> SeriesOf(
        PhaseSession session)
    {
        var all = session.Metrics.Series;
        var intended = session.Phase.IsOpenLoop ? WorkloadMetrics.Response.Name : WorkloadMetrics.Service.Name;
        var first = properties.Interval == "intended" ? intended : WorkloadMetrics.Service.Name;
        foreach (var (name, operation, part) in Known)
        {
            if (Of(operation, part, first) is { Count: > 0 } series)
                yield return (name, series, operation);
        }

        if (properties.Interval != "both")
            yield break;
        foreach (var (name, operation, _) in Known)
        {
            if (Of(operation, null, intended) is { Count: > 0 } series)
                yield return ($"Intended-{name}", series, null);
        }

        List<MetricSeries> Of(string operation, string? part, string metric) =>
        [
            .. all.Where(series => series.Metric.Name == $"{operation}-{metric}"
                || (part is not null && series.Metric.Name == $"{part}-{WorkloadMetrics.Service.Name}")),
        ];
    }

    private string Status(PhaseSession session, double seconds, long count, long? left)
    {
        var now = TimeProvider.System.GetLocalNow().ToString("yyyy-MM-dd HH:mm:ss:fff", CultureInfo.InvariantCulture);
        var text = Text($"{properties.Label}{now} {(long)Math.Round(seconds)} sec: {count} operations; ");
        if (count != 0)
            text += $"{Short((count - _last.Count) / Math.Max(1e-3, seconds - _last.Seconds))} current ops/sec; ";
        if (left is > 0 and { } rest && count > 0)
            text += $"est completion in {Remaining((long)Math.Ceiling(rest / (count / seconds)))}";
        return text + string.Concat(_sinceStatus.Where(one => one.Value.TotalCount > 0).Select(Summary));
    }

    private static string Summary(KeyValuePair<string, LatencyHistogram> one)
    {
        var values = one.Value;
        var percentiles = new[] { 90, 99, 99.9, 99.99 }.Select(percentile =>
            Text($", {percentile}={values.ValueAtPercentile(percentile) / 1000}"));
        return Text($"[{one.Key}: Count={values.TotalCount}, Max={values.Max / 1000}, Min={values.Min / 1000}, ")
            + $"Avg={Short(values.Mean / 1000)}{string.Concat(percentiles)}] ";
    }

    // RemainingFormatter: minutes below a day, seconds below a minute.
    private static string Remaining(long seconds)
    {
        var (days, hours, minutes) = (seconds / 86_400, seconds % 86_400 / 3600, seconds % 3600 / 60);
        var text = Part(days, "day") + Part(hours, "hour") + (days < 1 ? Part(minutes, "minute") : string.Empty);
        // One digit has the singular there.
        return text.Length > 0 ? text : Text($"{seconds} {(seconds < 10 ? "second" : "seconds")} ");

        static string Part(long number, string unit) =>
            number > 0 ? Text($"{number} {unit}{(number == 1 ? string.Empty : "s")} ") : string.Empty;
    }

    // As OneMeasurementHdrHistogram writes them: microseconds, and the longest in seconds.
    private void WriteLogs(PhaseSession session)
    {
        foreach (var (name, series, _) in SeriesOf(session))
        {
            var values = LatencyHistogram.ForLatency();
            foreach (var one in series)
                values.Add(one.Total);
            Files.WriteText($"{properties.LogPath}{name}.hdr", log => WriteLog(log, name, values, session.DurationNs));
        }
    }

    private void WriteLog(TextWriter log, string name, LatencyHistogram values, long durationNs)
    {
        var start = Text($"{_startedAt.ToUnixTimeMilliseconds() / 1e3:F3}");
        var date = _startedAt.UtcDateTime.ToString("ddd MMM dd HH:mm:ss 'UTC' yyyy", CultureInfo.InvariantCulture);
        log.WriteLine($"#[Logging for: {name}]");
        log.WriteLine("#[Histogram log format version 1.3]");
        log.WriteLine($"#[StartTime: {start} (seconds since epoch), {date}]");
        log.WriteLine("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"");
        var all = ReportedLatencies.Exact(values).AtLeast;
        log.WriteLine(Text($"0.000,{durationNs / 1e9:F3},{all.Max / 1e3:F3},") + MemtierJsonReport.Encoded(all));
    }

    private static void WriteJson(TextWriter output, IReadOnlyList<Measurement> all, bool isArray)
    {
        var objects = all.Select(one =>
            $"{{\n  \"metric\" : \"{one.Metric}\",\n  \"measurement\" : \"{one.Name}\",\n"
            + $"  \"value\" : {one.Value}\n}}");
        var text = isArray ? $"[ {string.Join(", ", objects)} ]" : string.Join(' ', objects);
        foreach (var line in text.Split('\n'))
            output.WriteLine(line);
    }

    private static string Ordinal(double percentile) => (
        percentile % 1, (int)percentile % 100, (int)percentile % 10) switch
    {
        (not 0, _, _) => percentile.ToString(CultureInfo.InvariantCulture),
        (_, 11 or 12 or 13, _) => Text($"{percentile}th"),
        (_, _, 1) => Text($"{percentile}st"),
        (_, _, 2) => Text($"{percentile}nd"),
        (_, _, 3) => Text($"{percentile}rd"),
        _ => Text($"{percentile}th"),
    };

    private static int Collections => GC.CollectionCount(0);

    private static string Whole(long number) => number.ToString(CultureInfo.InvariantCulture);

    private static string Short(double number) => number.ToString("0.##", CultureInfo.InvariantCulture);

    /// <summary>As Java writes a double.</summary>
    internal static string Double(double number)
    {
        if (!double.IsFinite(number))
            return "NaN";
        var text = number.ToString("R", CultureInfo.InvariantCulture);
        if (Math.Abs(number) is >= 1e-3 and < 1e7 or 0)
            return text.Contains('.', StringComparison.Ordinal) ? text : $"{text}.0";
        return number.ToString("0.0###############E0", CultureInfo.InvariantCulture);
    }

    private sealed record Measurement(string Metric, string Name, string Value);
}
