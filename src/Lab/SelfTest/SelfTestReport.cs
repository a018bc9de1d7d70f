using System.Globalization;
using RedisLatency.Hosting.Options.Shared;
using RedisLatency.Hosting.Output;
using RedisLatency.Lab.SelfTest.Findings;

namespace RedisLatency.Lab.SelfTest;

/// <summary>Prints what was planted beside what was reported.</summary>
internal sealed class SelfTestReport(IReadOnlyList<RowOutcome> outcomes, bool isShort, int exitCode)
{
    public void WriteTo(StandardOutput output, OutputFormat format)
    {
        switch (format)
        {
            case OutputFormat.Json:
                JsonOutput.Write(output, new { isShort, rows = outcomes, exitCode });
                break;
            case OutputFormat.Csv:
                WriteCsv(output);
                break;
            default:
                WriteText(output);
                break;
        }

        output.Flush();
    }

    private void WriteText(TextWriter writer)
    {
        foreach (var outcome in outcomes)
        {
            writer.WriteLine($"{outcome.Row}: {outcome.Title}");
            if (outcome.Reason is { } reason)
                WriteWrapped(writer, $"{outcome.Verdict.ToString().ToUpperInvariant()}: {reason}");
            if (outcome.Findings.Count > 0)
                TableOf(outcome).WriteTo(writer);
            writer.WriteLine();
        }

        writer.WriteLine(ResultLine());
    }

    private static TextTable TableOf(RowOutcome outcome)
    {
        var table = new TextTable("", "planted", "reported");
        foreach (var finding in outcome.Findings)
            table.Add($"{(finding.Holds ? "PASS" : "MISS")}  {finding.What}", finding.Planted, finding.Reported);
        return table;
    }

    private static void WriteWrapped(TextWriter writer, string text)
    {
        const int indent = 2;
        var line = new string(' ', indent);
        foreach (var word in text.Split(' '))
        {
            if (line.Length > indent && line.Length + 1 + word.Length > TextTable.PageWidth)
            {
                writer.WriteLine(line);
                line = new string(' ', indent);
            }

            line += line.Length > indent ? $" {word}" : word;
        }

        writer.WriteLine(line);
    }

    private void WriteCsv(TextWriter writer)
    {
        var csv = new CsvWriter(writer);
        csv.WriteRow("row", "verdict", "what", "planted", "reported", "holds");
        foreach (var outcome in outcomes)
        {
            var verdict = outcome.Verdict.ToString().ToLowerInvariant();
            if (outcome.Findings.Count == 0)
                csv.WriteRow(outcome.Row, verdict, outcome.Reason ?? string.Empty, string.Empty, string.Empty, "false");
            foreach (var finding in outcome.Findings)
            {
                var holds = finding.Holds ? "true" : "false";
                csv.WriteRow(outcome.Row, verdict, finding.What, finding.Planted, finding.Reported, holds);
            }
        }
    }

    private string ResultLine() => string.Create(
        CultureInfo.InvariantCulture,
        $"RESULT role=selftest form={(isShort ? "short" : "long")} rows={outcomes.Count} pass={Count(RowVerdict.Pass)} "
        + $"miss={Count(RowVerdict.Miss)} failed={Count(RowVerdict.Failed)} skipped={Count(RowVerdict.Skipped)} "
        + $"exit={exitCode}");

    private int Count(RowVerdict verdict) => outcomes.Count(outcome => outcome.Verdict == verdict);
}
