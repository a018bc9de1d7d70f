using System.Globalization;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using static RedisLatency.Integration.Verdicts.MatrixFault;

namespace RedisLatency.Integration.Verdicts;

/// <summary>
/// The matrix of roles and faults. <c>docs/output.md</c> has it as "What each role says when …", which
/// <see cref="VerdictTableTests"/> holds against these rows.
/// </summary>
internal static partial class VerdictMatrix
{
    private const string Closed = PairScenario.ClosedLoop;
    private const string Open = PairScenario.OpenLoop;
    private const string LoadClosed = WorkloadScenario.ClosedLoop;
    private const string LoadOpen = WorkloadScenario.OpenLoop;
    private const string LoadCluster = WorkloadScenario.OnCluster;
    private const string Workloads = WorkloadScenario.Workloads;
    private const string Producer = PairScenario.Producer;
    private const string Consumer = PairScenario.Consumer;
    private const string FromSource = DelayScenario.FromSource;
    private const string ToDestination = DelayScenario.ToDestination;
    private const string Apart = DelayScenario.Apart;
    private const string ApartDestination = DelayScenario.ApartDestination;
    private const string Heartbeats = DelayScenario.Heartbeats;
    private const string HeartbeatSource = DelayScenario.HeartbeatSource;
    private const string Delay = DelayScenario.Run;
    private const string Write = DelayScenario.Write;
    private const string Read = DelayScenario.Read;
    private const string Heartbeat = DelayScenario.Heartbeat;

    private const string NotKnown = "? service.max < 1 h not known";

    // What never came was waited for longer than that.
    private const string LongRtt = "✗ rtt.max < 400 ms > ";
    private const string LongService = "✗ service.max < 400 ms > ";
    private const string AtLeast = "max >: at least";

    private const string Pauses = "The machine can have made ";

    /// <summary>All of them.</summary>
    public static IReadOnlyList<VerdictRow> Rows { get; } =
    [
        new(Closed, TargetKilled, Producer, "not-valid", 5, "? rtt.max < 1 h not known", LongRtt, "PARTIAL"),
        new(Closed, TargetKilled, Consumer, "not-valid", 5, "✓ residence.max < 1 h"),
        new(Closed, TargetHung, Producer, "not-valid", 5, "? rtt.max < 1 h not known", LongRtt, AtLeast, "PARTIAL"),
        new(Closed, TargetHung, Consumer, "not-valid", 5, "✓ residence.max < 1 h"),
        new(Closed, Lost, Producer, "valid", 0, "✓ rtt.p99 < 1 h", "10 lost messages count as slower", "missing: not known"),
        new(Closed, Lost, Consumer, "valid", 143, "✓ residence.max < 1 h", "missing: not known"),
        new(Closed, MachinePaused, Producer, "doubtful", 0, "✓ rtt.max < 1 h", Pauses),
        new(Closed, MachinePaused, Consumer, "valid", 143, "✓ residence.max < 1 h", Pauses),
        new(Open, TargetKilled, Producer, "not-valid", 5, "? rtt.max < 1 h not known", "lost or never sent"),
        new(Open, TargetKilled, Consumer, "not-valid", 5, "✓ residence.max < 1 h"),
        new(Open, TargetHung, Producer, "not-valid", 5, "? rtt.max < 1 h not known", LongRtt, "lost or never sent"),
        new(Open, TargetHung, Consumer, "not-valid", 5, "✓ residence.max < 1 h"),
        new(Open, Lost, Producer, "valid", 0, "✓ rtt.p99 < 1 h", "10 lost messages count as slower", "missing: not known"),
        new(Open, Lost, Consumer, "valid", 143, "✓ residence.max < 1 h", "missing: not known"),
        new(Open, MachinePaused, Producer, "doubtful", 0, "✓ rtt.max < 1 h", Pauses),
        new(Open, MachinePaused, Consumer, "valid", 143, "✓ residence.max < 1 h", Pauses),
        new(LoadClosed, TargetKilled, Workloads, "not-valid", 5, NotKnown, "PARTIAL"),
        new(LoadClosed, TargetHung, Workloads, "not-valid", 5, NotKnown, LongService, AtLeast, "PARTIAL"),
        new(LoadClosed, Lost, Workloads, "valid", 0, "✓ service.p99 < 1 h", "missing: not known"),
        new(LoadClosed, MachinePaused, Workloads, "doubtful", 0, "✓ service.max < 1 h", Pauses),
        new(LoadOpen, TargetKilled, Workloads, "not-valid", 5, NotKnown, "lost or never sent"),
        new(LoadOpen, TargetHung, Workloads, "not-valid", 5, NotKnown, LongService, "lost or never sent"),
        new(LoadOpen, Lost, Workloads, "not-valid", 4, "✓ service.p99 < 1 h", "missing: not known", "although"),
        new(LoadOpen, MachinePaused, Workloads, "doubtful", 0, "✓ service.max < 1 h", Pauses),
        new(LoadCluster, TargetKilled, Workloads, "not-valid", 5, NotKnown, "PARTIAL"),
        new(LoadCluster, TargetHung, Workloads, "not-valid", 5, NotKnown, LongService, "PARTIAL"),
        new(LoadCluster, Lost, Workloads, "valid", 0, "✓ service.p99 < 1 h", "missing: not known"),
        new(LoadCluster, MachinePaused, Workloads, "doubtful", 0, "✓ service.max < 1 h", Pauses),
        new(FromSource, TargetKilled, Delay, "not-valid", 5, "? delay.max < 1 h not known", "asked 2,000 ="),
        new(FromSource, TargetHung, Delay, "not-valid", 5, "? delay.max < 1 h not known", "asked 2,000 ="),
        new(FromSource, Lost, Delay, "valid", 0, "✓ delay.p90 < 1 h", "missing: not known"),
        new(FromSource, MachinePaused, Delay, "doubtful", 0, "✓ delay.max < 1 h", Pauses),
        new(ToDestination, TargetKilled, Delay, "not-valid", 5, "? delay.max < 1 h not known", "asked 2,000 ="),
        new(ToDestination, TargetHung, Delay, "not-valid", 5, "? delay.max < 1 h not known", "asked 2,000 ="),
        new(Apart, TargetKilled, Write, "not-valid", 5, "? lateness.max < 1 h not known", "asked 2,000 ="),
        new(Apart, TargetKilled, Read, "not-valid", 4, "? delay.max < 1 h not known"),
        new(Apart, TargetHung, Write, "not-valid", 5, "? lateness.max < 1 h not known", "asked 2,000 ="),
        new(Apart, TargetHung, Read, "not-valid", 4, "? delay.max < 1 h not known"),
        new(Apart, Lost, Write, "valid", 0, "✓ lateness.max < 1 h"),
        new(Apart, Lost, Read, "valid", 0, "✓ delay.p90 < 1 h", "missing: not known"),
        new(Apart, MachinePaused, Write, "valid", 0, "✓ lateness.max < 1 h"),
        new(Apart, MachinePaused, Read, "doubtful", 0, "✓ delay.max < 1 h", Pauses),
        new(ApartDestination, TargetKilled, Write, "valid", 0, "✓ lateness.max < 1 h"),
        new(ApartDestination, TargetKilled, Read, "not-valid", 5, "? delay.max < 1 h not known"),
        new(ApartDestination, TargetHung, Write, "valid", 0, "✓ lateness.max < 1 h"),
        new(ApartDestination, TargetHung, Read, "not-valid", 5, "? delay.max < 1 h not known"),
        new(HeartbeatSource, TargetKilled, Heartbeat, "not-valid", 5, "? delay.max < 1 h not known"),
        new(HeartbeatSource, TargetHung, Heartbeat, "not-valid", 5, "? delay.max < 1 h not known"),
        new(Heartbeats, TargetKilled, Heartbeat, "not-valid", 5, "? delay.max < 1 h not known"),
        new(Heartbeats, TargetHung, Heartbeat, "not-valid", 5, "? delay.max < 1 h not known"),
        new(Heartbeats, Lost, Heartbeat, "valid", 0, "✓ delay.max < 1 h", "skipped"),
        new(Heartbeats, MachinePaused, Heartbeat, "doubtful", 0, "✓ delay.max < 1 h", Pauses),
    ];

    /// <summary>Each of these scenarios with each fault once, however many roles take part.</summary>
    internal static TheoryData<string, MatrixFault> RunsOf(params string[] scenarios) =>
        [.. Rows.Where(row => scenarios.Contains(row.Scenario)).Select(row => (row.Scenario, row.Fault)).Distinct()];

    /// <summary>Lets a fault happen in a scenario, and reads what each role says of it.</summary>
    internal static async Task ShouldHold(string scenario, MatrixFault fault)
    {
        await using var run = MatrixScenario.Named(scenario);
        await run.Start(fault);
        await run.Happen(fault);
        var ended = await run.End();

        foreach (var row in Rows.Where(row => row.Scenario == scenario && row.Fault == fault))
            ShouldSay(row, await Saying(ended[row.Role]), ended[row.Role]);
    }

    private static void ShouldSay(VerdictRow row, (string Text, string Result, int ExitCode) said, ServiceProcess process)
    {
        var context = $"{row}\n{process}";
        var (verdict, exitCode) = (row.Verdict, row.ExitCode);

        var record = SavedRun.Of(process).Record;
        // A machine that is too busy for the schedule makes what would be valid not valid, and that is right.
        if (exitCode == 0 && record.Verdict.Reasons.Any(reason => ScheduleNotKept().IsMatch(reason)))
            (verdict, exitCode) = ("not-valid", 4);
        var told = said.Result.Split(" verdict=")[1].Split(' ')[0];
        // So does one that lets the run end before all that was due is sent: no maximum is known then.
        if (row is { Scenario: LoadOpen, Fault: MachinePaused } && record.Summaries[0].Count(Counted.Unsent) > 0)
        {
            told.ShouldBe("not-valid", context);
            return;
        }

        // And one that is busy makes it doubtful, by that alone: doubts come before notes.
        if (verdict == "valid" && told == "doubtful")
            record.Verdict.Reasons[0].ShouldMatch(MachineHadAPart().ToString(), context);
        else
            told.ShouldBe(verdict, context);
        ShouldShowOnlyWhatIsKnown(record, said.Result, context);
        said.Result.ShouldEndWith($" exit={exitCode}", Case.Sensitive, context);
        said.Result.ShouldContain(" target=", Case.Sensitive, context);
        said.ExitCode.ShouldBe(exitCode, context);
        foreach (var part in row.Says)
            said.Text.ShouldContain(part, Case.Sensitive, context);
    }

    /// <summary>No number for a percentile without a value, nor a threshold judged on it, nor against the verdict.</summary>
    private static void ShouldShowOnlyWhatIsKnown(RunRecord record, string result, string context)
    {
        foreach (var series in record.Summaries.SelectMany(summary => summary.Latencies))
        {
            foreach (var row in series.Percentiles)
            {
                if (IsAmongMissing(series, row.Percentile))
                    row.Value.ShouldBeNull($"{series.Name} p{row.Percentile}, {series.Missing} missing\n{context}");
                // Of some that have no value it is known between what they lie.
                if (row.Value is null)
                    result.ShouldNotMatch($@" {series.Name}\.p{row.Percentile}=\d+(\.\d+)?( |$)", context);
            }

            if (series.Missing > 0)
                series.Max.ShouldBeNull($"{series.Name}, {series.Missing} missing\n{context}");
        }

        foreach (var threshold in record.Thresholds)
        {
            var (name, statistic) = (threshold.Expression.Split('.')[0], threshold.Expression.Split('.', '<')[1]);
            var percentile = statistic == "max" ? 100 : double.Parse(statistic[1..], CultureInfo.InvariantCulture);
            if (record.Summaries[0].Latencies.FirstOrDefault(series => series.Name == name) is { } series
                && IsAmongMissing(series, percentile))
            {
                // How long they were waited for may be too long, and never short enough.
                threshold.Held.ShouldNotBe(true, context);
            }
        }

        if (record.Verdict.Reasons.Any(reason => TailNotKnown().IsMatch(reason)))
            result.ShouldNotMatch(TailShown().ToString(), context);
    }

    // Samples without a value are slower than all that have one.
    private static bool IsAmongMissing(LatencySeries series, double percentile) =>
        (series.Count + series.Missing) * percentile / 100 > series.Count;

    [GeneratedRegex("the schedule could not be kept")]
    private static partial Regex ScheduleNotKept();

    [GeneratedRegex("^The machine can have made |of the heartbeats were due while the process that writes them was held up")]
    private static partial Regex MachineHadAPart();

    [GeneratedRegex("99th percentile of all .*is not known")]
    private static partial Regex TailNotKnown();

    // Of what was intended: from the actual send there may be one.
    [GeneratedRegex(@" (rtt-intended|response|delay|delay-intended)\.p99=")]
    private static partial Regex TailShown();

    private static async Task<(string Text, string Result, int ExitCode)> Saying(ServiceProcess process)
    {
        var exitCode = await process.End();
        var text = process.Output.ToString().Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);
        return (string.Join(' ', text), process.Output.Lines[^1], exitCode);
    }
}
