using System.Text.RegularExpressions;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Verdicts;

/// <summary>"What each role says when …" of <c>docs/output.md</c> says what the rows of the matrix expect.</summary>
public sealed partial class VerdictTableTests
{
    private const string Heading = "### What each role says when …";

    // A row of the table, by its first cell, is of a role in these scenarios.
    private static readonly Dictionary<string, (string Role, string[] Scenarios)> Described = new()
    {
        ["Producer, closed loop"] = (PairScenario.Producer, [PairScenario.ClosedLoop]),
        ["Producer, open loop"] = (PairScenario.Producer, [PairScenario.OpenLoop]),
        ["Consumer"] = (PairScenario.Consumer, [PairScenario.ClosedLoop, PairScenario.OpenLoop]),
        ["load, closed loop"] = (WorkloadScenario.Workloads, [WorkloadScenario.ClosedLoop]),
        ["load, open loop"] = (WorkloadScenario.Workloads, [WorkloadScenario.OpenLoop]),
        ["load, cluster (one primary)"] = (WorkloadScenario.Workloads, [WorkloadScenario.OnCluster]),
        ["delay (its source or its destination)"] =
            (DelayScenario.Run, [DelayScenario.FromSource, DelayScenario.ToDestination]),
        ["delay write (its source)"] = (DelayScenario.Write, [DelayScenario.Apart]),
        ["delay write (the reader's destination)"] = (DelayScenario.Write, [DelayScenario.ApartDestination]),
        ["delay read (the writer's source)"] = (DelayScenario.Read, [DelayScenario.Apart]),
        ["delay read (its destination)"] = (DelayScenario.Read, [DelayScenario.ApartDestination]),
        ["delay --continuous (its source)"] = (DelayScenario.Heartbeat, [DelayScenario.HeartbeatSource]),
        ["delay --continuous (its destination)"] = (DelayScenario.Heartbeat, [DelayScenario.Heartbeats]),
    };

    [Fact]
    public void Table_OfTheDocument_SaysWhatTheRowsExpect()
    {
        var table = Read();
        table.Keys.ShouldBe(Described.Keys, ignoreOrder: true);
        foreach (var (name, (role, scenarios)) in Described)
        {
            foreach (var fault in Enum.GetValues<MatrixFault>())
            {
                string[] expected =
                [
                    .. VerdictMatrix.Rows.Where(row => row.Role == role && row.Fault == fault
                        && scenarios.Contains(row.Scenario)).Select(Text).Distinct(),
                ];
                var cell = table[name][(int)fault];
                (Beginning().Match(cell) is { Success: true } said ? [said.Value] : Array.Empty<string>())
                    .ShouldBe(expected, $"{name}, {fault}: {cell}");
            }
        }

        VerdictMatrix.Rows.Where(row => !Described.Values.Any(
            described => described.Role == row.Role && described.Scenarios.Contains(row.Scenario))).ShouldBeEmpty();
    }

    private static string Text(VerdictRow row) =>
        $"{row.Verdict.Replace('-', ' ').ToUpperInvariant()}, {row.ExitCode}, `{row.Says[0][0]}`";

    // Columns in the order of the faults.
    private static Dictionary<string, string[]> Read()
    {
        var lines = File.ReadAllLines(RepositoryRoot.Combine("docs", "output.md")).ToList();
        return lines.Skip(lines.IndexOf(Heading)).SkipWhile(line => !line.StartsWith("|--", StringComparison.Ordinal))
            .Skip(1).TakeWhile(line => line.StartsWith('|'))
            .Select(line => line.Trim('|').Split('|').Select(cell => cell.Trim()).ToArray())
            .ToDictionary(cells => cells[0], cells => cells[1..]);
    }

    [GeneratedRegex("^(VALID|DOUBTFUL|NOT VALID), \\d+, `[✓?]`")]
    private static partial Regex Beginning();
}
