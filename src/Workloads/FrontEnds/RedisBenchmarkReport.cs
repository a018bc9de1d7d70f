using System.Text.RegularExpressions;
using RedisLatency.Hosting.Live;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Redis;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Phases;
using RedisLatency.Workloads.Servers;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>What redis-benchmark prints (redis-benchmark.c, showLatencyReport and showThroughput).</summary>
internal sealed partial class RedisBenchmarkReport(RedisBenchmarkOptions options, bool isSuite, int payload)
    : FrontEnd
{
    private const long MostUs = 3_000_000;
    private const string Columns = "\"test\",\"rps\",\"avg_latency_ms\",\"min_latency_ms\",\"p50_latency_ms\","
        + "\"p95_latency_ms\",\"p99_latency_ms\",\"max_latency_ms\"";

    // Whole ones: what is left at the end of a test is shorter.
    private static readonly TimeSpan LeastOfInterval = TimeSpan.FromSeconds(0.9);

    private readonly List<double> _rates = [];
    private IReadOnlyList<ServerConfiguration> _servers = [];
    private bool _hasHead;
    private int _lastLength;

    /// <summary>No test was chosen: what the original prints then.</summary>
    public int Nothing(TextWriter output)
    {
        output.WriteLine(options.IsCsv ? Columns : string.Empty);
        return ExitCode.Valid;
    }

    public override void Begin(PhaseSession session, RunContext run)
    {
        if (options.IsIdle)
            return;
        _rates.Clear();
        if (_servers.Count == 0)
        {
            _servers = ServerConfiguration.Of(session, options.IsCluster);
            foreach (var server in _servers.Where(server => server.Save is null))
            {
                run.Diagnostics.WriteLine(options.IsCluster
                    ? $"WARNING: Could not fetch node CONFIG {server.Address}"
                    : "WARNING: Could not fetch server CONFIG");
            }

            if (options.IsCluster)
                WriteCluster(run.Output, _servers);
        }

        if (options.IsCsv && !_hasHead)
            run.Output.WriteLine(Columns);
        _hasHead = true;
    }

    public override void Show(
        PhaseSession session, in TakenInterval interval, in LiveSnapshot snapshot, RunContext run)
    {
        if (options.IsIdle)
            run.Output.WriteOver(Text($"clients: {options.Clients}"));
        if (options.IsIdle || options.IsCsv || snapshot.Phase != RunPhase.Measure)
            return;
        if (interval.Duration >= LeastOfInterval)
            _rates.Add(snapshot.AchievedRate);
        var service = Latencies(session);
        var overall = snapshot.Returned / snapshot.Elapsed.TotalSeconds;
        var (mean, all) = (service.Interval.Mean / 1e6, service.Total.Mean / 1e6);
        var line = Text($"{session.Phase.Name}: rps={snapshot.AchievedRate:F1} (overall: {overall:F1}) ")
            + Text($"avg_msec={mean:F3} (overall: {all:F3})");
        Clear(run);
        run.Output.WriteOver(line);
        _lastLength = line.Length;
    }

    public override void End(PhaseSession session, RunContext run)
    {
        if (session.StopReason is { } reason)
            run.Diagnostics.WriteLine($"Error from server: {ErrorOf(reason)}");
        if (options.IsIdle || session.StopReason is not null || !session.HasMeasured)
            return;
        var values = Latencies(session).Total;
        // None of its places can be left empty.
        var latencies = (options.AsOriginal
            ? ReportedLatencies.Original(values, MostUs, Math.Max(1, options.Precision))
            : ReportedLatencies.Exact(values)).AtLeast;
        var rate = session.Measured.Completed / (session.DurationNs / 1e9);
        var output = run.Output;
        if (options.IsCsv)
        {
            double?[] numbers =
            [
                latencies.Mean, latencies.Min, latencies.At(50), latencies.At(95), latencies.At(99), latencies.Max,
            ];
            var name = session.Phase.Name.Replace("\"", "\"\"", StringComparison.Ordinal);
            output.WriteLine($"\"{name}\",\"{Text($"{rate:F2}")}\","
                + string.Join(',', numbers.Select(number => Text($"\"{number:F3}\""))));
        }
        else
        {
            Clear(run);
            if (options.IsQuiet)
            {
                output.WriteLine($"{session.Phase.Name}: "
                    + Text($"{rate:F2} requests per second, p50={latencies.At(50):F3} msec"));
            }
            else
            {
                WriteAll(session, latencies, rate, output);
            }
        }

        output.Flush();
    }

    protected override void Finish(IReadOnlyList<PhaseSession> measured, RunContext run)
    {
        if (isSuite && !options.IsCsv && !options.IsIdle)
            run.Output.WriteLine();
    }

    private void WriteAll(PhaseSession session, ReportedLatencies latencies, double rate, TextWriter output)
    {
        output.WriteLine($"====== {session.Phase.Name} ======");
        output.WriteLine(Text(
            $"  {session.Measured.Completed} requests completed in {session.DurationNs / 1e9:F2} seconds"));
        output.WriteLine(Text($"  {options.Clients} parallel clients"));
        output.WriteLine(Text($"  {payload} bytes payload"));
        output.WriteLine($"  keep alive: {(options.KeepsConnections ? 1 : 0)}");
        WriteConfiguration(output);
        var threads = options.Threads > 0 ? options.Threads : options.IsCluster ? 1 : 0;
        output.WriteLine($"  multi-thread: {(threads > 0 ? "yes" : "no")}");
        if (threads > 0)
            output.WriteLine(Text($"  threads: {threads}"));
        WriteRates(output);
        output.WriteLine();
        WriteDistribution(latencies, output);
        output.WriteLine("Summary:");
        output.WriteLine(Text($"  throughput summary: {rate:F2} requests per second"));
        output.WriteLine("  latency summary (msec):");
        WriteTable(
            output, latencies.Mean, latencies.Min, latencies.At(50), latencies.At(95), latencies.At(99), latencies.Max);
    }

    private static void WriteTable(TextWriter output, params ReadOnlySpan<double?> values)
    {
        output.WriteLine(Text($"    {"avg",9} {"min",9} {"p50",9} {"p95",9} {"p99",9} {"max",9}"));
        output.Write("   ");
        foreach (var value in values)
            output.Write(Text($" {value,9:F3}"));
        output.WriteLine();
    }

    private void WriteRates(TextWriter output)
    {
        if (options.Rate is not { } target || _rates.Count == 0)
            return;
        _rates.Sort();
        output.WriteLine();
        output.WriteLine("RPS Summary:");
        output.WriteLine(Text($"  target RPS: {target:F2}"));
        output.WriteLine("  RPS distribution (reqs/sec):");
        WriteTable(output, _rates.Average(), _rates[0], At(50), At(95), At(99), _rates[^1]);

        double At(int percentile) => _rates[Math.Max(0, (int)Math.Ceiling(_rates.Count * percentile / 100.0) - 1)];
    }

    private static void WriteDistribution(ReportedLatencies latencies, TextWriter output)
    {
        var total = latencies.Histogram.TotalCount;
        output.WriteLine("Latency by percentile distribution:");
        var before = -1L;
        foreach (var (percentile, milliseconds, count) in latencies.Steps(1))
        {
            if (count != before || count == total)
                Line(percentile, milliseconds, count);
            before = count;
        }

        output.WriteLine();
        output.WriteLine("Cumulative distribution of latencies:");
        // Tenths of a millisecond, whole ones after two.
        before = -1;
        for (var tenths = 1; before != total; tenths += tenths > 20 ? 10 : 1)
        {
            var (count, milliseconds) = latencies.UpTo(tenths / 10.0);
            if (count != before)
                Line(100.0 * count / total, milliseconds, count);
            before = count;
        }

        output.WriteLine();

        void Line(double percentile, double milliseconds, long count) => output.WriteLine(
            Text($"{percentile:F3}% <= {milliseconds:F3} milliseconds (cumulative count {count})"));
    }

    private void WriteConfiguration(TextWriter output)
    {
        if (!options.IsCluster)
        {
            foreach (var server in _servers.Where(server => server.Save is not null))
            {
                output.WriteLine($"  host configuration \"save\": {server.Save}");
                output.WriteLine($"  host configuration \"appendonly\": {server.AppendOnly}");
            }

            return;
        }

        output.WriteLine(Text($"  cluster mode: yes ({_servers.Count} masters)"));
        foreach (var (place, server) in _servers.Index().Where(node => node.Item.Save is not null))
        {
            output.WriteLine(Text($"  node [{place}] configuration:"));
            output.WriteLine($"    save: {(server.Save is { Length: > 0 } save ? save : "NONE")}");
            output.WriteLine($"    appendonly: {server.AppendOnly}");
        }
    }

    private static void WriteCluster(TextWriter output, IReadOnlyList<ServerConfiguration> servers)
    {
        output.WriteLine(Text($"Cluster has {servers.Count} master nodes:"));
        output.WriteLine();
        foreach (var (place, server) in servers.Index())
            output.WriteLine(Text($"Master {place}: {server.Id} {server.Address}"));
        output.WriteLine();
    }

    private void Clear(RunContext run) => run.Output.WriteOver(new string(' ', Math.Max(1, _lastLength)));

    private static MetricSeriesOf Latencies(PhaseSession session)
    {
        var metric = session.Phase.IsOpenLoop ? WorkloadMetrics.Response : WorkloadMetrics.Service;
        var series = session.Metrics.Series.First(one => one.Metric.Name == metric.Name);
        return new MetricSeriesOf(series.Interval, series.Total);
    }

    private static string ErrorOf(string reason) => OperationName().Replace(reason, string.Empty, 1);

    [GeneratedRegex("^[a-z0-9-]+: ")]
    private static partial Regex OperationName();

    private readonly record struct MetricSeriesOf(LatencyHistogram Interval, LatencyHistogram Total);
}

/// <summary>What a server says of itself that redis-benchmark prints; null where it does not say.</summary>
internal sealed record ServerConfiguration(string Address, string Id, string? Save, string? AppendOnly)
{
    public static IReadOnlyList<ServerConfiguration> Of(PhaseSession session, bool isCluster)
    {
        if (!isCluster)
            return [Of(session, session.Target.Endpoint)];
        using var servers = KeyServers.Of(session.Phase)[0];
        return [.. servers.Endpoints.Select(endpoint => Of(session, endpoint))];
    }

    private static ServerConfiguration Of(PhaseSession session, RedisEndpoint endpoint)
    {
        var (id, save, appendOnly) = (string.Empty, (string?)null, (string?)null);
        try
        {
            using var control = (session.Target with { Endpoint = endpoint }).OpenControl();
            if (session.Phase.IsCluster && control.Request("CLUSTER", "MYID") is { IsError: false } name)
                id = name.Text;
            save = control.Request("CONFIG", "GET", "save").Find("save")?.Text;
            appendOnly = control.Request("CONFIG", "GET", "appendonly").Find("appendonly")?.Text;
        }
        catch (RedisException)
        {
            // The original goes on without it, too, and says so.
        }

        return new ServerConfiguration(endpoint.Address, id, save, appendOnly);
    }
}
