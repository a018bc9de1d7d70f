using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Output;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Lab.SelfTest;

internal sealed class SelfTestReport(IReadOnlyList<RowOutcome> outcomes, bool isShort, int exitCode)
{
    private const string Indent = "  ";

    public void WriteTo(StandardOutput output, OutputFormat format)
    {
        switch (format)
        {
            case OutputFormat.Json:
                JsonOutput.Write(output, new SelfTestDocument(isShort, outcomes, exitCode), SelfTestJson.Default);
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
            if (outcome.Reason is not null)
                WriteReason(writer, outcome);
            if (outcome.Findings.Count > 0)
                new FindingTable(outcome.Findings).WriteTo(writer);
            writer.WriteLine();
        }

        SectionText.Write(writer, Overview());
        writer.WriteLine();
        WriteMissed(writer);
        writer.WriteLine(ResultLine());
    }

    // Once more at the end, which is all that is kept of many a log.
    private void WriteMissed(TextWriter writer)
    {
        foreach (var outcome in outcomes.Where(outcome => outcome.Verdict == RowVerdict.Failed))
            writer.WriteLine($"{outcome.Row} failed: {outcome.Reason}");
        foreach (var outcome in outcomes)
        {
            foreach (var finding in outcome.Findings.Where(finding => !finding.Holds))
                writer.WriteLine($"{outcome.Row} missed {finding.What}: {finding.Planted}, but {finding.Reported}");
        }
    }

    private static void WriteReason(TextWriter writer, RowOutcome outcome)
    {
        var text = $"{Word(outcome.Verdict)}: {outcome.Reason}";
        foreach (var line in WordWrap.Lines(text, Pages.UsualWidth - Indent.Length))
            writer.WriteLine(Indent + line);
    }

    private Section Overview()
    {
        var table = new Table("row", "verdict", "findings", "missed");
        foreach (var outcome in outcomes)
        {
            var missed = outcome.Findings.Count(finding => !finding.Holds);
            table.Add(
                outcome.Row, Word(outcome.Verdict), Quantity.Count(outcome.Findings.Count), Quantity.Count(missed));
        }

        return new Section().Add(table);
    }

    private static string Word(RowVerdict verdict) => verdict.ToString().ToUpperInvariant();

    private void WriteCsv(TextWriter writer)
    {
        var table = new Table("row", "verdict", "what", "planted", "reported", "holds");
        foreach (var outcome in outcomes)
        {
            var verdict = outcome.Verdict.ToString().ToLowerInvariant();
            if (outcome.Findings.Count == 0)
                table.Add(outcome.Row, verdict, outcome.Reason ?? string.Empty, string.Empty, string.Empty, "false");
            foreach (var finding in outcome.Findings)
            {
                var holds = finding.Holds ? "true" : "false";
                table.Add(outcome.Row, verdict, finding.What, finding.Planted, finding.Reported, holds);
            }
        }

        SectionCsv.Write(writer, table);
    }

    private string ResultLine() => string.Create(
        CultureInfo.InvariantCulture,
        $"RESULT role=selftest form={(isShort ? "short" : "long")} rows={outcomes.Count} pass={Count(RowVerdict.Pass)} "
        + $"miss={Count(RowVerdict.Miss)} failed={Count(RowVerdict.Failed)} skipped={Count(RowVerdict.Skipped)} "
        + $"stopped={Count(RowVerdict.Stopped)} "
        + $"exit={exitCode}");

    private int Count(RowVerdict verdict) => outcomes.Count(outcome => outcome.Verdict == verdict);
}

internal sealed record SelfTestDocument(bool IsShort, IReadOnlyList<RowOutcome> Rows, int ExitCode);

internal sealed class RowVerdictConverter() : JsonStringEnumConverter<RowVerdict>(JsonNamingPolicy.CamelCase);

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    WriteIndented = true,
    NewLine = "\n",
    Converters = [typeof(RowVerdictConverter)])]
[JsonSerializable(typeof(SelfTestDocument))]
internal sealed partial class SelfTestJson : JsonSerializerContext;

/// <summary>Planted beside reported, however long the words: a cell too wide goes on in the next line.</summary>
internal sealed class FindingTable(IReadOnlyList<Finding> findings)
{
    private const int Indent = 2;
    private const int Gap = 2;
    private const int VerdictWidth = 4;
    private const int MostOfValue = 22;

    public void WriteTo(TextWriter writer)
    {
        var rows = findings.Select(CellsOf).Prepend(["", "", "planted", "reported"]).ToArray();
        var planted = WidthOf(rows, 2, MostOfValue);
        var reported = WidthOf(rows, 3, MostOfValue);
        var room = Pages.UsualWidth - Indent - VerdictWidth - planted - reported - (3 * Gap);
        int[] widths = [VerdictWidth, WidthOf(rows, 1, room), planted, reported];
        foreach (var row in rows)
            WriteRow(writer, row, widths);
    }

    private static string[] CellsOf(Finding finding) =>
        [finding.Holds ? "PASS" : "MISS", finding.What, finding.Planted, finding.Reported];

    private static int WidthOf(string[][] rows, int column, int most) =>
        Math.Min(most, rows.Max(row => row[column].Length));

    private static void WriteRow(TextWriter writer, string[] row, int[] widths)
    {
        var cells = row.Select((cell, column) => WordWrap.Lines(cell, widths[column])).ToArray();
        for (var line = 0; line < cells.Max(cell => cell.Count); line++)
        {
            var text = new string(' ', Indent);
            for (var column = 0; column < widths.Length; column++)
            {
                var part = line < cells[column].Count ? cells[column][line] : string.Empty;
                text += column < 2 ? part.PadRight(widths[column] + Gap) : part.PadLeft(widths[column]);
                if (column == 2)
                    text += new string(' ', Gap);
            }

            writer.WriteLine(text.TrimEnd());
        }
    }
}
