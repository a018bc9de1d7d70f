using System.Text.Json;
using RedisLatency.Fixtures;
using RedisLatency.Lab.Mutations.Mutants;

namespace RedisLatency.Lab.Mutations.Trials;

/// <summary>What <c>Lab selftest</c> says of services, row by row, and its exit code.</summary>
internal sealed class SelfTestTable
{
    private readonly JsonElement _rows;

    private SelfTestTable(int exitCode, JsonElement rows, string text) =>
        (ExitCode, _rows, Text) = (exitCode, rows, text);

    public int ExitCode { get; }

    /// <summary>All that was printed, for the message of a failed assertion.</summary>
    public string Text { get; }

    /// <summary>What does not hold, a line each; last in a message, as a log's end is often all that is kept of it.</summary>
    public IEnumerable<string> Misses =>
        from row in _rows.EnumerateArray()
        from finding in row.GetProperty("findings").EnumerateArray()
        where !finding.GetProperty("holds").GetBoolean()
        select $"{row.GetProperty("row")}: {finding}";

    /// <summary>Lets the real self-test live rows with the services of a folder.</summary>
    public static async Task<SelfTestTable> Of(string programs, IEnumerable<string> rows, int jobs)
    {
        await using var lab = ServiceProcess.Start(
            "Lab",
            [
                "selftest", "--short", "--format", "json", "--jobs", $"{jobs}",
                "--producer", Path.Combine(programs, "RedisLatency.Producer.dll"),
                "--consumer", Path.Combine(programs, "RedisLatency.Consumer.dll"),
                .. rows.SelectMany(row => new[] { "--only", row }),
            ]);
        var exitCode = await lab.End();
        var text = lab.ToString();
        lab.Output.Lines.ShouldNotBeEmpty(text);
        using var document = JsonDocument.Parse(string.Join('\n', lab.Output.Lines));
        return new SelfTestTable(exitCode, document.RootElement.GetProperty("rows").Clone(), text);
    }

    /// <summary>Whether a finding is in the table, and does not hold.</summary>
    public bool Shows(Miss miss) => _rows.EnumerateArray()
        .Where(row => row.GetProperty("row").GetString() == miss.Row)
        .SelectMany(row => row.GetProperty("findings").EnumerateArray())
        .Any(finding => finding.GetProperty("what").GetString()!.StartsWith(miss.Finding, StringComparison.Ordinal)
            && !finding.GetProperty("holds").GetBoolean());
}
