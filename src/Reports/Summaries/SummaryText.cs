using System.Globalization;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>
/// Prints a run record for people: at most 80 columns, the same at the end of a run and when a saved one is shown.
/// </summary>
public sealed class SummaryText(RunRecord record, string? folder)
{
    private const int MostParts = 20;
    private const int MostFacts = 60;

    public void WriteTo(TextWriter writer)
    {
        WriteVerdict(writer);
        WriteRun(writer);
        if (record.Role == ServedRecord.Role)
        {
            new ServedSection(new ServedRecord(record)).WriteTo(writer);
        }
        else if (record.Summaries is [{ Sync: not null }, ..])
        {
            new SyncSection(record).WriteTo(writer);
        }
        else if (record.Summaries.FirstOrDefault(summary => summary.Delay is not null) is { } replicated)
        {
            if (replicated.Delay!.ReadElsewhere)
                new WritingSection(replicated, replicated.Delay).WriteTo(writer);
            else
                new DelaySection(replicated, replicated.Delay).WriteTo(writer);
            new PartsSection(record).WriteTo(writer);
        }
        else if (record.Role == WorkloadResults.Role)
        {
            new WorkloadSection(record).WriteTo(writer);
        }
        else if (record.Summaries.Count > 0)
        {
            new MessageSection(record).WriteTo(writer);
            new LatencySection(record).WriteTo(writer);
            new OneWaySection(record).WriteTo(writer);
        }

        if (record.Comparison is { } comparison)
            ComparisonSection.Write(writer, comparison);
        WriteEvents(writer);
        new InstrumentSection(record).WriteTo(writer);
        writer.Heading("FILES");
        writer.Line(folder is null ? "not written" : folder);
        writer.WriteLine();
        writer.WriteLine(ResultLine.Of(record));
    }

    internal static string Word(VerdictStatus status) => status switch
    {
        VerdictStatus.Valid => "VALID",
        VerdictStatus.Doubtful => "DOUBTFUL",
        VerdictStatus.NotJudged => "NOT JUDGED",
        _ => "NOT VALID",
    };

    /// <summary>The same with how far the numbers go: VALID to p99.</summary>
    internal static string Word(RunVerdict verdict) =>
        verdict is { Status: VerdictStatus.Valid, UpTo: { } most }
            ? $"{Word(verdict.Status)} to {LatencyTable.NameOf(most)}"
            : Word(verdict.Status);

    internal static string Line(RunEvent happening)
    {
        var at = happening.AtUtc.ToString("HH:mm:ss.fff", CultureInfo.InvariantCulture);
        return $"{at} {happening.Kind}: {happening.Text}";
    }

    private void WriteVerdict(TextWriter writer)
    {
        var partial = record.Partial ? $", PARTIAL: {record.PartialReason}" : string.Empty;
        writer.Fold(string.Empty, $"VERDICT  {Word(record.Verdict)}{partial}");
        foreach (var reason in record.Verdict.Reasons)
            writer.Line(reason);
        foreach (var threshold in record.Thresholds)
            writer.Line(threshold.Reason ?? threshold.Expression);
    }

    // Arguments, which are recognised by their place, have names in capitals.
    private static bool IsArgument(RecordedOption option) => char.IsAsciiLetterUpper(option.Name[0]);

    private bool IsAnswered(RunSummary summary) => record.Role != ServedRecord.Role && summary.Peers.Count > 0;

    private void WriteEvents(TextWriter writer)
    {
        const int MostShown = 10;
        if (record.Events.Count == 0)
            return;
        writer.Heading("EVENTS");
        foreach (var happening in record.Events.Take(MostShown))
            writer.Line(Line(happening));

        if (record.Events.Count > MostShown)
            writer.Line($"and {record.Events.Count - MostShown} more in run.json");
    }

    private void WriteRun(TextWriter writer)
    {
        writer.Heading("RUN");
        var region = record.Region is null ? string.Empty : $" in {record.Region}";
        var start = record.Phases.Count > 0
            ? record.Phases[0].StartUtc.ToString("yyyy-MM-dd HH:mm:ss 'UTC'", CultureInfo.InvariantCulture)
            : string.Empty;
        writer.Line($"run {record.Run}, {record.Role} {record.Instance}{region}, {start}, "
            + $"RedisLatency {record.SuiteVersion.Split('+')[0]}");
        foreach (var target in record.Targets)
        {
            if (record.Imported is { } imported)
            {
                writer.Line($"target {target.Name}, measured by {imported.Tool}");
                continue;
            }

            var server = target.Server is { } facts ? $"{facts.Name} {facts.Version} {facts.Mode}" : "server not known";
            var lane = target.Transport is null ? string.Empty : $", RESP{target.Protocol} over {target.Transport}";
            writer.Line($"target {target.Name}: {server}; {target.Driver} {target.DriverVersion.Split('+')[0]}{lane}");
        }

        foreach (var summary in record.Summaries.Where(IsAnswered))
            writer.Line($"consumers of {summary.Name}: {string.Join(", ", summary.Peers)}");
        foreach (var part in (record.MergedFrom ?? []).Take(MostParts))
        {
            var where = part.Region is null ? string.Empty : $" in {part.Region}";
            writer.Line($"merged from {part.Instance}{where}, {part.Folder}");
        }

        if (record.MergedFrom is { Count: > MostParts } parts)
            writer.Line($"and {parts.Count - MostParts} more processes, which run.json names");
        foreach (var (name, value) in (record.Imported?.Facts ?? new Dictionary<string, string>()).Take(MostFacts))
            writer.Line($"{name}: {value}");
        var given = record.Options.Where(option => option.Source != OptionSource.Default)
            .Select(option => IsArgument(option) ? option.Value : $"--{option.Name} {option.Value}");
        if (record.Imported is null || given.Any())
            writer.Line($"options {string.Join(' ', given.DefaultIfEmpty("all at their defaults"))}");
    }
}

/// <summary>The lines of a summary.</summary>
public static class SummaryLines
{
    public static void Heading(this TextWriter writer, string text)
    {
        writer.WriteLine();
        writer.WriteLine(text);
    }

    /// <summary>Writes a paragraph, indented by two and broken before the page ends.</summary>
    public static void Line(this TextWriter writer, string text) => writer.Fold("  ", text);

    internal static void Fold(this TextWriter writer, string indent, string text)
    {
        foreach (var line in WordWrap.Lines(text, writer.PageWidth() - 4))
        {
            writer.WriteLine(indent + line);
            indent = "    ";
        }
    }
}
