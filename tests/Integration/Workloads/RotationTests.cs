using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Integration.BadInput;
using RedisLatency.Integration.Results;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Records;

namespace RedisLatency.Integration.Workloads;

/// <summary>
/// A load without an end, whose folder is closed each period: what is in the folders together is what one would have.
/// </summary>
public sealed class RotationTests : WorkloadTest
{
    private const int Records = 500;
    private const int Rate = 1_000;
    private const double SecondNs = 1e9;
    private const string MinutesVariable = "REDISLATENCY_ROTATION_MINUTES";

    private static readonly Metric[] Counts =
        [Counted.Asked, Counted.Sent, Counted.Unsent, Counted.Returned, Counted.Completed, Counted.Hits];

    // Goes with the server.
    private string Root => Directory.CreateDirectory(Path.Combine(Server.Folder, "rotated")).FullName;

    [Fact]
    public async Task Folders_TogetherAreOneRun_AndNothingIsMissingBetweenThem()
    {
        await Load(Records);
        var load = StartRotating(
            "2s", "--metrics", "http://127.0.0.1:0", "--threshold", "hiccups.max<1h",
            "--threshold", "get-service.p50<1h", "--threshold", "sent<3500");
        var metrics = await load.MetricsAddress();
        await Closed(4);
        using var client = new HttpClient();
        var page = PrometheusText.Parse(await client.GetStringAsync(
            new Uri(metrics, "/metrics"), TestContext.Current.CancellationToken));

        (await load.EndBy("TERM")).ShouldBeOneOf(143, 4);

        var parts = Parts();
        parts.Count.ShouldBeGreaterThanOrEqualTo(5);
        parts.ShouldAllBe(part => !part.Record.Partial && part.Record.ExitCode != 1);
        foreach (var part in parts)
        {
            var latencies = part.Series("get-service").Count;
            latencies.ShouldBe(part.Count(Counted.Completed));
            latencies.ShouldBe(part.Merged("get-service").TotalCount);
            part.Series("response").Count.ShouldBe(part.Count(Counted.Returned));
            part.Record.Hiccups!.Count.ShouldBe(part.Merged("hiccups").TotalCount);
            // Of all of them more were sent.
            part.Record.Thresholds.ShouldAllBe(threshold => threshold.Held == true);
        }

        // Each goes on where the one before ended, to the nanosecond.
        var phases = parts.ConvertAll(part => part.Record.Phases.ShouldHaveSingleItem());
        foreach (var (before, after) in phases.Zip(phases.Skip(1)))
            after.StartNs.ShouldBe(before.StartNs + before.DurationNs);
        foreach (var phase in phases.Skip(1).SkipLast(1))
            (phase.DurationNs / SecondNs).ShouldBeInRange(1, 3);

        // The server had them all, and of the schedule none is missing: its end is noticed within some milliseconds.
        Sum(Counted.Sent).ShouldBe(CallsOf("get"));
        var lasted = parts.Sum(part => part.Summary.DurationNs!.Value) / SecondNs;
        Sum(Counted.Asked).ShouldBeInRange((long)(lasted * Rate) - 25, (long)(lasted * Rate) + 25);

        // The counters of telemetry went on: they have what was closed by then, and what came since.
        var atFour = parts.Take(4).Sum(part => part.Count(Counted.Completed)!.Value);
        page.Value("redislatency_workload_completed_total").ShouldBeGreaterThanOrEqualTo(atFour);
        page.Value("db_client_operation_duration_seconds_count").ShouldBeGreaterThanOrEqualTo(atFour);

        var merged = await Merge();
        foreach (var metric in Counts)
            merged.Count(metric).ShouldBe(Sum(metric), metric.Name);
        var all = LatencyHistogram.ForLatency();
        parts.ForEach(part => all.Add(part.Merged("get-service")));
        CountsOf(merged.Merged("get-service")).ShouldBe(CountsOf(all));
        merged.Summary.Rates.Achieved.ShouldNotBeNull().ShouldBe(Sum(Counted.Completed) / lasted, 1);
        merged.Record.Verdict.Reasons.ShouldContain(
            reason => reason.StartsWith($"Merged from {Text(parts.Count)} folders of 1 process on 1 host"));
        merged.Record.Events.ShouldBeEmpty();

        long Sum(Metric metric) => parts.Sum(part => part.Count(metric)!.Value);
    }

    [Fact]
    public async Task Folder_WhoseServerStandsStillAtItsEnd_SaysWhatIsInTheNext()
    {
        await Load(Records);
        var load = StartRotating("2s");
        await Closed(1);
        Server.Pause();
        await Closed(2);
        Server.Resume();
        await Closed(3);

        await load.EndBy("TERM");

        var parts = Parts();
        // All that was due after the pause began, as far as it could be sent.
        parts[1].Record.Verdict.Reasons.ShouldContain(reason => reason.Contains(" operations that were due had not ended"));
        parts[0].Record.Verdict.Reasons.ShouldNotContain(reason => reason.Contains("had not ended"));
        parts.Sum(part => part.Count(Counted.Sent)!.Value).ShouldBe(CallsOf("get"));
    }

    [Fact]
    public async Task Process_ThatWentAwayAndCameBack_IsAGapWithBothEnds()
    {
        await Load(Records);
        for (var turn = 1; turn <= 2; turn++)
        {
            var load = StartRotating("1s");
            await Closed(2 * turn);
            await load.EndBy("TERM");
            await Task.Delay(1_500, TestContext.Current.CancellationToken);
        }

        var merged = await Merge();

        var (before, after) = Parts().Select(part => part.Summary)
            .Zip(Parts().Skip(1).Select(part => part.Summary))
            .MaxBy(pair => pair.Second.StartUtc!.Value - EndOf(pair.First));
        merged.Record.Events.Select(happened => (happened.Kind, happened.AtUtc))
            .ShouldBe([("gone", EndOf(before)), ("back", after.StartUtc!.Value)]);

        static DateTimeOffset EndOf(RunSummary summary) =>
            summary.StartUtc!.Value + TimeSpan.FromNanoseconds(summary.DurationNs!.Value);
    }

    [Fact]
    public async Task Keep_DeletesWhatThisRunHasClosed_AndNothingElse()
    {
        await Load(Records);
        // Not rotated; of another instance; of another run; torn; and of this one, by a process before.
        (await Start(
            "run", "--records", Text(Records), "--operations", "10", "--warmup", "0s", "--out", Root,
            "--run", "night", "--instance", "here").End()).ShouldBe(0);
        foreach (var (run, instance) in new[] { ("night", "there"), ("day", "here"), ("night", "here") })
        {
            var known = Folders().Count;
            var other = Start("run", Rotating("1s", "--run", run, "--instance", instance));
            await Eventually.Is("one is closed", () => Folders().Count >= known + 2);
            await other.EndBy("TERM");
        }

        var torn = Path.Combine(Root, "20200101-000000-night-here");
        Directory.CreateDirectory(torn);
        await File.WriteAllTextAsync(
            Path.Combine(torn, "latency.hlog.partial"), "#", TestContext.Current.CancellationToken);
        var own = Folders().Where(folder => IsRotated(folder, "night", "here")).ToList();
        var others = Folders().Except(own).ToList();

        var load = Start("run", Rotating("1s", "--keep", "2s", "--run", "night", "--instance", "here"));
        await Eventually.Is("those before are deleted", () => !own.Exists(Directory.Exists));
        await load.EndBy("TERM");

        own.Count.ShouldBeGreaterThanOrEqualTo(2);
        others.Count.ShouldBeGreaterThanOrEqualTo(6);
        others.ShouldAllBe(folder => Directory.Exists(folder));
        Folders().Except(others).Count().ShouldBeInRange(1, 5);
    }

    [Theory]
    [InlineData("--rotate 2s", "--rotate", "a run that ends has one folder; --continuous runs until it is stopped")]
    [InlineData("--continuous --rotate 10ms", "--rotate 10ms: at least 1s")]
    [InlineData("--continuous --rotate often", "--rotate often: ")]
    [InlineData("--continuous --keep 7d", "only folders that --rotate has closed are deleted")]
    [InlineData("--continuous --rotate 1h --keep 1m", "a folder is kept for one period at least")]
    [InlineData("--continuous --duration 5s", "a run without an end is not limited")]
    [InlineData("--continuous --operations 5", "a run without an end is not limited")]
    [InlineData("--continuous --expect load=2", "a run without an end is one process's")]
    public async Task Options_ThatCannotBe_EndWith2(string arguments, params string[] parts) =>
        (await Outcome.Of("Workloads", ["run", "--redis", "127.0.0.1:1", .. arguments.Split(' ')]))
            .ShouldBeRefused(2, parts);

    [Fact]
    public async Task Continuous_WithoutAServer_EndsWith2() =>
        (await Outcome.Of("Workloads", "run", "--continuous")).ShouldBeRefused(2, "one server is needed");

    /// <summary>
    /// In so many minutes as REDISLATENCY_ROTATION_MINUTES says memory and handles stay what they were after the first.
    /// </summary>
    [Fact]
    public async Task Memory_AndHandles_AreFlat()
    {
        var given = Environment.GetEnvironmentVariable(MinutesVariable);
        Assert.SkipUnless(given is not null, $"{MinutesVariable} says for how many minutes it runs.");
        var minutes = int.Parse(given!, CultureInfo.InvariantCulture);
        await Load(Records);
        var load = StartRotating(minutes >= 10 ? "1m" : "20s", "--keep", "2m", "--metrics", "http://127.0.0.1:0");
        var used = new List<(long Bytes, int Handles)>();
        for (var minute = 0; minute < minutes; minute++)
        {
            await Task.Delay(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken);
            used.Add((ResidentBytesOf(load.ProcessId), Directory.GetFiles($"/proc/{load.ProcessId}/fd").Length));
        }

        (await load.EndBy("TERM")).ShouldBeOneOf(143, 4);

        var figures = string.Join("; ", used.Select(one => $"{one.Bytes >> 20} MiB, {one.Handles} handles"));
        TestContext.Current.SendDiagnosticMessage(figures);
        used.ShouldAllBe(one => one.Handles <= used[0].Handles + 2, figures);
        used.ShouldAllBe(one => one.Bytes < used[0].Bytes + (24 << 20), figures);
        Folders().Count.ShouldBeLessThanOrEqualTo(8, figures);
    }

    private static List<(long Value, long Count)> CountsOf(LatencyHistogram histogram)
    {
        var counts = new List<(long, long)>();
        foreach (var recorded in histogram.RecordedValues)
            counts.Add((recorded.Median, recorded.Count));
        return counts;
    }

    private static long ResidentBytesOf(int process) => 1_024 * long.Parse(
        File.ReadLines($"/proc/{process}/status").First(line => line.StartsWith("VmRSS:", StringComparison.Ordinal))
            .Split(' ', StringSplitOptions.RemoveEmptyEntries)[1],
        CultureInfo.InvariantCulture);

    private static bool IsRotated(string folder, string run, string instance) =>
        File.Exists(Path.Combine(folder, ResultsFolder.RunRecordName))
        && RunRecordReader.Read(folder) is { IsRotated: true } record
        && (record.Run, record.Instance) == (run, instance);

    private ServiceProcess StartRotating(string period, params string[] arguments) =>
        Start("run", Rotating(period, arguments));

    private string[] Rotating(string period, params string[] arguments) =>
    [
        "--continuous", "--rotate", period, "--records", Text(Records), "--mix", "get=1", "--rate", Text(Rate),
        "--warmup", "0s", "--out", Root, .. arguments,
    ];

    private Task Closed(int folders) => Eventually.Is(
        $"{folders} folders are closed",
        () => Folders().Count(folder => File.Exists(Path.Combine(folder, ResultsFolder.RunRecordName))) >= folders);

    // By name, so by their start; -10 comes after -9 where several begin within a second.
    private List<string> Folders() => [.. Directory.GetDirectories(Root).Order(StringComparer.Ordinal)];

    private List<SavedRun> Parts() =>
        [.. Folders().Select(folder => new SavedRun(folder)).OrderBy(run => run.Record.Phases[0].StartNs)];

    private async Task<SavedRun> Merge()
    {
        var merged = Path.Combine(Server.Folder, "merged");
        await using var merge = ServiceProcess.Start("Tool", "report", "merge", Root, "--out", merged);
        (await merge.End()).ShouldBeOneOf(0, 4, 143);
        return new SavedRun(Directory.GetDirectories(merged).ShouldHaveSingleItem(merge.ToString()));
    }
}
