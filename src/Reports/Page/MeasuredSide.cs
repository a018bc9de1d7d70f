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
    private static readonly string[] Told =
        ["rtt-intended", "rtt", Measured.Delay, "forward-intended", "forward", "residence"];

    private static readonly string[] Apart = [Metric.Hiccups.Name, Metric.GcPausesTag, Measured.Lateness];

    /// <summary>Whether it is of all phases of a load, whatever their marks.</summary>
    public bool IsOfAllPhases { get; init; }

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
        if (Headline.Of(record) is not { } headline)
            return [];
        if (!RecordKind.Of(record).HasPhases)
        {
            var beside = Enumerable.Range(0, record.Summaries.Count)
                .Where(place => record.Forward is null && RecordMetrics.MarkOf(record, place).Length > 0)
                .Select(place => (Place: place, Headline: HeadlineOf(record, place)))
                .Where(side => side.Headline is not null).ToList();
            return beside.Count < 2
                ? [new MeasuredSide(headline.Mark + headline.Name, string.Empty, [headline])]
                : [.. beside.Select(side => new MeasuredSide(
                    side.Headline!.Mark + side.Headline.Name,
                    $"{side.Headline.Mark.TrimEnd('.')}: {record.Summaries[side.Place].Name}",
                    [side.Headline]))];
        }

        // Of a load it is of all phases, one after the other; of two servers of all turns of each.
        var phases = Enumerable.Range(0, record.Summaries.Count)
            .Select(place => (record.Summaries[place].Workload, Headline: HeadlineOf(record, place)))
            .Where(phase => phase.Headline?.Name == headline.Name).ToList();
        return record.Comparison is not { } comparison
            ?
            [
                new MeasuredSide(headline.Name, string.Empty, [headline with { Mark = string.Empty }])
                {
                    IsOfAllPhases = true,
                    Missing = phases.Sum(phase => phase.Headline!.Missing),
                },
            ]
            : [.. new[] { comparison.Base, comparison.Other }.Select((target, place) => new MeasuredSide(
                SummaryMark.TagOf(place, headline.Name),
                $"{SummaryMark.Of(place)}: {target}",
                [.. phases.Where(one => one.Workload is { Verb: "run", IsFloor: false } && one.Workload.Group == target)
                    .Select(one => one.Headline!)]))];
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
