using static RedisLatency.Integration.Verdicts.MatrixFault;

namespace RedisLatency.Integration.Verdicts;

/// <summary>
/// The matrix of roles and faults. <c>docs/output.md</c> has it as "What each role says when …": a row here is a row
/// there.
/// </summary>
public sealed class VerdictMatrix
{
    private const string Closed = PairScenario.ClosedLoop;
    private const string Open = PairScenario.OpenLoop;
    private const string Producer = PairScenario.Producer;
    private const string Consumer = PairScenario.Consumer;
    private const string FromSource = DelayScenario.FromSource;
    private const string ToDestination = DelayScenario.ToDestination;
    private const string Apart = DelayScenario.Apart;
    private const string Heartbeats = DelayScenario.Heartbeats;
    private const string Delay = DelayScenario.Run;
    private const string Write = DelayScenario.Write;
    private const string Read = DelayScenario.Read;
    private const string Heartbeat = DelayScenario.Heartbeat;

    private static readonly IReadOnlyList<VerdictRow> Rows =
    [
        new(Closed, TargetKilled, Producer, "not-valid", 5, "? rtt.max<1h: not known", "PARTIAL"),
        new(Closed, TargetKilled, Consumer, "not-valid", 5, "✓ residence.max<1h"),
        new(Closed, TargetHung, Producer, "not-valid", 5, "? rtt.max<1h: not known", "PARTIAL"),
        new(Closed, TargetHung, Consumer, "not-valid", 5, "✓ residence.max<1h"),
        new(Closed, Lost, Producer, "valid", 0, "✓ rtt.p99<1h", "10 lost messages count as slower", "missing: not known"),
        new(Closed, Lost, Consumer, "valid", 143, "✓ residence.max<1h", "missing: not known"),
        new(Closed, MachinePaused, Producer, "doubtful", 0, "✓ rtt.max<1h", "Pauses of this machine"),
        new(Closed, MachinePaused, Consumer, "valid", 143, "✓ residence.max<1h"),
        new(Open, TargetKilled, Producer, "not-valid", 5, "? rtt.max<1h: not known", "lost or never sent"),
        new(Open, TargetKilled, Consumer, "not-valid", 5, "✓ residence.max<1h"),
        new(Open, TargetHung, Producer, "not-valid", 5, "? rtt.max<1h: not known", "lost or never sent"),
        new(Open, TargetHung, Consumer, "not-valid", 5, "✓ residence.max<1h"),
        new(Open, Lost, Producer, "valid", 0, "✓ rtt.p99<1h", "10 lost messages count as slower", "missing: not known"),
        new(Open, Lost, Consumer, "valid", 143, "✓ residence.max<1h", "missing: not known"),
        new(Open, MachinePaused, Producer, "doubtful", 0, "✓ rtt.max<1h", "Pauses of this machine"),
        new(Open, MachinePaused, Consumer, "valid", 143, "✓ residence.max<1h"),
        new(FromSource, TargetKilled, Delay, "not-valid", 5, "? delay.max<1h: not known", "asked 2,000 ="),
        new(FromSource, TargetHung, Delay, "not-valid", 5, "? delay.max<1h: not known", "asked 2,000 ="),
        new(FromSource, Lost, Delay, "valid", 0, "✓ delay.p90<1h", "missing: not known"),
        new(FromSource, MachinePaused, Delay, "valid", 0, "✓ delay.max<1h"),
        new(ToDestination, TargetKilled, Delay, "not-valid", 5, "? delay.max<1h: not known", "asked 2,000 ="),
        new(ToDestination, TargetHung, Delay, "not-valid", 5, "? delay.max<1h: not known", "asked 2,000 ="),
        new(Apart, TargetKilled, Write, "not-valid", 5, "? lateness.max<1h: not known", "asked 2,000 ="),
        new(Apart, TargetKilled, Read, "not-valid", 4, "? delay.max<1h: not known"),
        new(Apart, TargetHung, Write, "not-valid", 5, "? lateness.max<1h: not known", "asked 2,000 ="),
        new(Apart, TargetHung, Read, "not-valid", 4, "? delay.max<1h: not known"),
        new(Apart, Lost, Write, "valid", 0, "✓ lateness.max<1h"),
        new(Apart, Lost, Read, "valid", 0, "✓ delay.p90<1h", "missing: not known"),
        new(Apart, MachinePaused, Write, "valid", 0, "✓ lateness.max<1h"),
        new(Apart, MachinePaused, Read, "valid", 0, "✓ delay.max<1h"),
        new(Heartbeats, TargetKilled, Heartbeat, "not-valid", 5, "? delay.max<1h: not known"),
        new(Heartbeats, TargetHung, Heartbeat, "not-valid", 5, "? delay.max<1h: not known"),
        new(Heartbeats, Lost, Heartbeat, "valid", 0, "✓ delay.max<1h", "skipped"),
        new(Heartbeats, MachinePaused, Heartbeat, "valid", 0, "✓ delay.max<1h"),
    ];

    /// <summary>Each scenario with each fault once, however many roles take part.</summary>
    public static TheoryData<string, MatrixFault> Runs =>
        [.. Rows.Select(row => (row.Scenario, row.Fault)).Distinct()];

    [Theory]
    [MemberData(nameof(Runs))]
    public async Task Role_WhenThisHappens_SaysWhatTheTableSays(string scenario, MatrixFault fault)
    {
        await using var run = MatrixScenario.Named(scenario);
        await run.Start(fault);
        await run.Happen(fault);
        var ended = await run.End();

        foreach (var row in Rows.Where(row => row.Scenario == scenario && row.Fault == fault))
        {
            var process = ended[row.Role];
            var output = process.Output.ToString();
            var result = output.TrimEnd().Split('\n')[^1];
            string[] verdicts = row.Verdict == "valid" ? ["valid", "doubtful"] : [row.Verdict];
            verdicts.Any(verdict => result.Contains($" verdict={verdict} ", StringComparison.Ordinal))
                .ShouldBeTrue($"{row}\n{process}");
            result.ShouldEndWith($" exit={row.ExitCode}", Case.Sensitive, $"{row}\n{process}");
            result.ShouldContain(" target=", Case.Sensitive, $"{row}\n{process}");
            (await process.End()).ShouldBe(row.ExitCode, $"{row}\n{process}");
            var folded = string.Join(' ', output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
            foreach (var part in row.Says)
                folded.ShouldContain(part, Case.Sensitive, $"{row}\n{process}");
        }
    }
}
