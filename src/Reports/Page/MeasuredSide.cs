using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Page;

/// <summary>What a run is about, of one of the servers or destinations that it measured side by side.</summary>
/// <param name="Name">As its series is called; several have their marks before it.</param>
/// <param name="Label">Whose it is; empty where it is the only one.</param>
/// <param name="Headlines">The series that are it: one, but for a load, of which every phase logs its own.</param>
internal sealed record MeasuredSide(string Name, string Label, IReadOnlyList<Headline> Headlines)
{
    // What a run is about, where nothing but its log tells, and what none is about.
    internal static readonly string[] Told =
        ["rtt-intended", "rtt", Measured.Delay, Measured.Lag, "forward-intended", "forward", "residence"];

    private static readonly string[] Apart = [Metric.Hiccups.Name, Metric.GcPausesTag, Measured.Lateness];

    /// <summary>Whether it is of all phases of a load, whatever their marks.</summary>
    public bool IsOfAllPhases { get; init; }

    /// <summary>
    /// What a page's numbers are of: of a load the phase that its answer tells of, of two servers in turns all turns,
    /// of any other run the summary of the side.
    /// </summary>
    public IReadOnlyList<RunSummary> Summaries { get; init; } = [];

    /// <summary>What its numbers are marked with, as tables do it; empty where it is the only one.</summary>
    public string Mark { get; init; } = string.Empty;

    /// <summary>How many have no value.</summary>
    public long Missing { get; init; } = Headlines.Sum(headline => headline.Missing);

    /// <summary>Whether a tag of the interval log is of it.</summary>
    public bool Has(string tag) =>
        Headlines.Any(headline => headline.IsLoggedAs(IsOfAllPhases ? tag[(tag.LastIndexOf('.') + 1)..] : tag));

    /// <summary>The sides of a run; of one that was killed nothing tells what it was about but the tags.</summary>
    public static IReadOnlyList<MeasuredSide> Of(RunRecord? record, IEnumerable<string> tags)
    {
        if (record is null)
            return OfTags(tags);
        var headline = Headline.Of(record);
        if (!RecordKind.Of(record).HasPhases)
        {
            var beside = Enumerable.Range(0, record.Summaries.Count)
                .Where(place => record.Forward is null && RecordMetrics.MarkOf(record, place).Length > 0)
                .Select(place => (Summary: record.Summaries[place], Headline: HeadlineOf(record, place)))
                .Where(side => side.Headline is not null).ToList();
            return beside.Count < 2
                ? [OfAll(headline) with { Summaries = [.. record.Summaries.Take(1)] }]
                : [.. beside.Select(side => OfOne(side.Summary, side.Headline!))];
        }

        // Of a load it is of all phases, one after the other; of two servers of all turns of each.
        var phases = Enumerable.Range(0, record.Summaries.Count)
            .Select(place => (Summary: record.Summaries[place], Headline: HeadlineOf(record, place)))
            .ToList();
        var told = phases.Where(phase => phase.Headline is { } own && own.Name == headline?.Name).ToList();
        return record.Comparison is not { } comparison
            ?
            [
                OfAll(headline is null ? null : headline with { Mark = string.Empty }) with
                {
                    Summaries = [.. record.Summaries.Skip(PlaceTold(record)).Take(1)],
                    IsOfAllPhases = true,
                    Missing = told.Sum(phase => phase.Headline!.Missing),
                },
            ]
            : [.. new[] { comparison.Base, comparison.Other }.Select((target, place) => new MeasuredSide(
                SummaryMark.TagOf(place, headline?.Name ?? string.Empty),
                $"{SummaryMark.Of(place)}: {target}",
                [.. told.Where(phase => IsTurn(phase.Summary, target)).Select(phase => phase.Headline!)])
            {
                Summaries = [.. record.Summaries.Where(summary => IsTurn(summary, target))],
                Mark = SummaryMark.Of(place),
            })];

        static bool IsTurn(RunSummary summary, string target) =>
            summary.Workload is { Verb: "run", IsFloor: false } turn && turn.Group == target;
    }

    /// <summary>The phase of a load that the answer tells of: the last, or the one that a search found.</summary>
    public static int PlaceTold(RunRecord record)
    {
        var answer = record.Search?.Answer?.Phase;
        return Math.Max(0, record.Summaries.ToList().FindLastIndex(one => one.Workload is { IsFloor: false } workload
            && (answer is null || workload.Phase == answer)));
    }

    // Of a run that timed nothing there is no series.
    private static MeasuredSide OfAll(Headline? headline) => headline is null
        ? new MeasuredSide(string.Empty, string.Empty, [])
        : new MeasuredSide(headline.Mark + headline.Name, string.Empty, [headline]);

    private static MeasuredSide OfOne(RunSummary summary, Headline headline)
    {
        var mark = headline.Mark.TrimEnd('.');
        return new MeasuredSide(headline.Mark + headline.Name, $"{mark}: {summary.Name}", [headline])
        {
            Summaries = [summary],
            Mark = mark,
        };
    }

    private static Headline? HeadlineOf(RunRecord record, int place) =>
        Headline.SeriesOf(record.Summaries[place]) is not { } series ? null
            : new Headline(RecordMetrics.MarkOf(record, place), series.Name, series.Percentiles)
            {
                Missing = series.Missing ?? 0,
            };

    private static IReadOnlyList<MeasuredSide> OfTags(IEnumerable<string> tags)
    {
        var known = tags.Order(StringComparer.Ordinal).ToList();
        // A load logs its operations one by one, with a schedule from when they were due.
        foreach (var series in new[] { Measured.Response, Measured.Service })
        {
            var end = $"-{series}";
            if (known.Exists(tag => tag.EndsWith(end, StringComparison.Ordinal)))
                return [Side(series) with { IsOfAllPhases = true }];
        }

        var name = Told.Select(series => known.Find(tag => NameIn(tag) == series))
                .FirstOrDefault(tag => tag is not null)
            ?? known.Find(tag => !Apart.Contains(NameIn(tag))) ?? known.FirstOrDefault();
        return name is null ? [] : [Side(name)];

        static MeasuredSide Side(string name) =>
            new(name, string.Empty, [new Headline(string.Empty, name, [])]);
    }

    private static string NameIn(string tag) => tag[(tag.LastIndexOf('.') + 1)..];
}
