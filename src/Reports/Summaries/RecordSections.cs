using System.Globalization;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>All that a run record says to people, once; each part knows where it stands.</summary>
/// <param name="record">What was measured.</param>
/// <param name="folder">Where its results are; null where they were not written.</param>
internal sealed class RecordSections(RunRecord record, string? folder)
{
    private const int MostParts = 20;
    private const int MostFacts = 60;
    private const int MostReasonsInAnswer = 4;

    /// <summary>What was measured, and how good that is.</summary>
    public IEnumerable<Section> Results() =>
    [
        Verdict(),
        Answer(),
        Run(),
        .. RecordKind.Of(record).Sections(record),
        .. record.Comparison is { } comparison ? [ComparisonSection.Of(comparison)] : Array.Empty<Section>(),
        Events("EVENTS", 10, "in run.json", Extent.Details),
        Events(null, 3, "events: see run.json", Extent.Answer),
    ];

    /// <summary>What measured it, and where the rest is.</summary>
    public IEnumerable<Section> Origin()
    {
        var instrument = new InstrumentSection(record);
        if (instrument.Create() is { } section)
            yield return section;
        yield return new Section("FILES", Extent.Details).Add(folder ?? "not written");
        yield return new Section(null, Extent.Answer).Add(instrument.Line())
            .Add(folder is null ? "results not written; --details prints everything" : null);
    }

    private Section Verdict()
    {
        var partial = record.Partial ? $", PARTIAL: {record.PartialReason}" : string.Empty;
        return new Section($"VERDICT  {VerdictWord.Of(record.Verdict)}{partial}", Extent.Details)
            .Add(record.Verdict.Reasons).Add(Thresholds());
    }

    private Section Answer()
    {
        var reasons = record.Verdict.Reasons;
        // Cut only where more than one would be left out: the line that says so takes as much room.
        var shown = reasons.Count <= MostReasonsInAnswer + 1 ? reasons.Count : MostReasonsInAnswer;
        return new Section($"{VerdictWord.Of(record.Verdict)}  {AnswerLine.Of(record)}", Extent.Answer)
            .Add(record.Partial ? $"PARTIAL: {record.PartialReason}" : null)
            .Add(reasons.Take(shown))
            .Add(shown < reasons.Count ? $"and {reasons.Count - shown} more reasons: see --details" : null)
            .Add(Thresholds());
    }

    private IEnumerable<string> Thresholds() =>
        record.Thresholds.Select(threshold => threshold.Reason ?? threshold.Expression);

    private Section Events(string? heading, int most, string where, Extent extent)
    {
        var events = record.Events.Where(happened => happened.Kind != RunEvent.Stage).ToList();
        return new Section(events.Count > 0 ? heading : null, extent)
            .Add(events.Take(most).Select(Line))
            .Add(events.Count > most ? $"and {events.Count - most} more {where}" : null);
    }

    private static string Line(RunEvent happening)
    {
        var at = happening.AtUtc.ToString("HH:mm:ss.fff", CultureInfo.InvariantCulture);
        return $"{at} {happening.Kind}: {happening.Text}";
    }

    private Section Run()
    {
        var section = new Section("RUN", Extent.Details);
        var region = record.Region is null ? string.Empty : $" in {record.Region}";
        var start = record.Phases.Count > 0
            ? record.Phases[0].StartUtc.ToString("yyyy-MM-dd HH:mm:ss 'UTC'", CultureInfo.InvariantCulture)
            : string.Empty;
        section.Add($"run {record.Run}, {record.Role} {record.Instance}{region}, {start}, "
            + $"RedisLatency {record.SuiteVersion.Split('+')[0]}");
        section.Add(record.Targets.Select(LineOf));
        section.Add(RecordKind.Of(record).Consumed(record)
            .Select(summary => $"consumers of {summary.Name}: {string.Join(", ", summary.Peers)}"));
        foreach (var part in (record.MergedFrom ?? []).Take(MostParts))
        {
            var where = part.Region is null ? string.Empty : $" in {part.Region}";
            section.Add($"merged from {part.Instance}{where}, {part.Folder}");
        }

        if (record.MergedFrom is { Count: > MostParts } parts)
            section.Add($"and {parts.Count - MostParts} more processes, which run.json names");
        section.Add((record.Imported?.Facts ?? new Dictionary<string, string>()).Take(MostFacts)
            .Select(fact => $"{fact.Key}: {fact.Value}"));
        var given = record.Options.Where(option => option.Source != OptionSource.Default)
            .Select(option => IsArgument(option) ? option.Value : $"--{option.Name} {option.Value}");
        return record.Imported is null || given.Any()
            ? section.Add($"options {string.Join(' ', given.DefaultIfEmpty("all at their defaults"))}")
            : section;
    }

    private string LineOf(MeasuredTarget target)
    {
        if (record.Imported is { } imported)
            return $"target {target.Name}, measured by {imported.Tool}";
        var server = target.Server is { } facts ? $"{facts.Name} {facts.Version} {facts.Mode}" : "server not known";
        var lane = target.Transport is null ? string.Empty : $", RESP{target.Protocol} over {target.Transport}";
        return $"target {target.Name}: {server}; {target.Driver} {target.DriverVersion.Split('+')[0]}{lane}";
    }

    // Arguments, which are recognised by their place, have names in capitals.
    private static bool IsArgument(RecordedOption option) => char.IsAsciiLetterUpper(option.Name[0]);
}
