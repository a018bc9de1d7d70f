using System.Globalization;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;
using RedisLatency.Reports.Sections;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Page;

/// <summary>What a page shows of one run, in the order in which it stands there.</summary>
public sealed class PageRun
{
    private const int DetailsWidth = 100;

    /// <param name="run">What it left, or has so far.</param>
    /// <param name="underWay">What else is known of it while it lasts; null of one that is over.</param>
    /// <exception cref="SavedRunException">The interval log cannot be read.</exception>
    public PageRun(SavedRun run, RunUnderWay? underWay = null)
    {
        var timelines = new RunTimelines(run);
        var record = run.Record;
        var charts = new PageCharts(record, timelines, OffsetWindows.In(run.Folder), underWay);
        (Charts, OtherCharts, Undrawn, Heats) = (charts.Main, charts.Others, charts.Undrawn, charts.Heats);
        Tiles = charts.Tiles;
        if (underWay is not null)
        {
            (Title, Status) = (PlainText.Brief(underWay.Run), "under-way");
            Name = PlainText.Brief($"{underWay.Run} {underWay.Who}".Trim());
            Answer = Name.Length > 0 ? PlainText.Brief($"{Name}: {underWay.Doing}") : underWay.Doing;
            Glance = [.. GlanceAt(underWay).Select(line => (line.Name, PlainText.Brief(line.Value)))];
            Tables = WithRows(SeriesOf(timelines), CountsOf(underWay));
            Settings = WithRows(PageTables.Options(underWay.Options));
            return;
        }

        Title = PlainText.Brief(run.Name);
        Name = record is null ? Title : PlainText.Brief($"{run.Name}, {WhoOf(record)}");
        if (record is null)
        {
            (Status, Answer) = ("none", $"{Title}: no verdict, the run was killed or is still under way");
            Notes =
            [
                "There is no run.json. What the interval log holds is shown, without what was lost, refused or unsent.",
                .. Torn(run),
                .. timelines.Series.Any() ? Array.Empty<string>() : ["The interval log holds no interval."],
            ];
            Tables = WithRows(SeriesOf(timelines));
            return;
        }

        // A run whose threshold did not hold has failed, however valid its numbers are.
        var failed = record.Thresholds.Count(threshold => threshold.Held != true);
        Status = record.Thresholds.Any(threshold => threshold.Held == false) ? "not-valid"
            : VerdictWord.Plain(record.Verdict.Status);
        var partial = record.Partial ? $", PARTIAL ({record.PartialReason})" : string.Empty;
        var thresholds = failed == 0 ? string.Empty
            : string.Create(
                CultureInfo.InvariantCulture, $", {failed} of {record.Thresholds.Count} thresholds not held");
        Answer = PlainText.Brief($"{VerdictWord.Of(record.Verdict)}{partial}{thresholds}: {AnswerLine.Of(record)}");
        Notes =
        [
            .. record.Thresholds.Where(threshold => threshold.Held != true).Select(LineOf),
            .. record.Verdict.Reasons.Select(PlainText.Brief),
            .. record.Thresholds.Where(threshold => threshold.Held == true).Select(LineOf),
            .. Torn(run),
        ];
        Glance = [.. GlanceAt(record).Select(line => (line.Name, PlainText.Brief(line.Value)))];
        Tables = WithRows(PageTables.Phases(record), PageTables.Percentiles(record), PageTables.Counts(record));
        // Of what another tool measured neither is known.
        Settings = record.Imported is null
            ? [PageTables.Options(record.Options), PageTables.Environment(record)]
            : [PageTables.Options(record.Options)];
        Command = record.Imported is null ? PlainText.Brief(CommandOf(record)) : null;
        var text = new PageText(DetailsWidth);
        new SummaryText(record, run.Folder).WriteTo(text);
        Text = text.ToString();
    }

    /// <summary>What the run calls itself.</summary>
    public string Title { get; }

    /// <summary>The same with who it was, where a page has several.</summary>
    public string Name { get; }

    /// <summary>The verdict as a class of the style sheet.</summary>
    public string Status { get; }

    /// <summary>What came out, in one sentence.</summary>
    public string Answer { get; }

    /// <summary>Why it is not simply valid, a sentence each, and what became of each threshold.</summary>
    public IReadOnlyList<string> Notes { get; } = [];

    /// <summary>The numbers that it begins with.</summary>
    public IReadOnlyList<PageTile> Tiles { get; }

    /// <summary>The run at a glance.</summary>
    public IReadOnlyList<(string Name, string Value)> Glance { get; } = [];

    /// <summary>Percentiles and counts, where there are any.</summary>
    public IReadOnlyList<Section> Tables { get; } = [];

    public IReadOnlyList<Chart> Charts { get; }

    /// <summary>The series that the run is not about, over time.</summary>
    public IReadOnlyList<Chart> OtherCharts { get; }

    /// <summary>How many more there are, which are in the tables alone.</summary>
    public int Undrawn { get; }

    /// <summary>How many took how long, over time; of each that was measured side by side.</summary>
    public IReadOnlyList<HeatMap> Heats { get; }

    /// <summary>What measures the same again; null of a run that was killed, or of another tool.</summary>
    public string? Command { get; }

    /// <summary>Options and environment.</summary>
    public IReadOnlyList<Section> Settings { get; } = [];

    /// <summary>All that <c>--details</c> prints; null of a run that was killed.</summary>
    public string? Text { get; }

    private static string LineOf(ThresholdResult threshold) =>
        PlainText.Brief(threshold.Reason ?? threshold.Expression);

    private static string[] Torn(SavedRun run) =>
        run.HasTornTail ? ["The last line of the interval log is torn: it was passed over."] : [];

    private static IEnumerable<(string Name, string Value)> GlanceAt(RunUnderWay run)
    {
        if (run.Run.Length > 0)
            yield return ("Run", run.Run);
        if (run.Who.Length > 0)
            yield return ("Who", run.Who);
        yield return ("Began", TimeOf(run.Began));
        foreach (var target in run.Targets)
            yield return ("Target", target);
    }

    private static string TimeOf(DateTimeOffset at) =>
        at.ToString("yyyy-MM-dd HH:mm:ss 'UTC'", CultureInfo.InvariantCulture);

    private static Section CountsOf(RunUnderWay run) => new Section("Counts so far").Add(PageTables.CountsOf(
        run.CountedOf, [.. run.Counts.Select(count => (string[])[count.Name, .. count.Values])]));

    private static IEnumerable<(string Name, string Value)> GlanceAt(RunRecord record)
    {
        yield return ("Run", record.Run);
        yield return ("Who", WhoOf(record));
        if (record.Phases is [var first, ..])
            yield return ("Began", TimeOf(first.StartUtc));
        if (record.Summaries is [.., { DurationNs: { } lasted }])
            yield return ("Measured", Quantity.Duration(lasted));
        foreach (var target in record.Targets)
        {
            var server = target.Server is { } facts ? $"{facts.Name} {facts.Version} {facts.Mode}" : "server not known";
            var over = string.IsNullOrEmpty(target.Transport) ? string.Empty : $" over {target.Transport}";
            yield return ("Target", $"{target.Endpoint}, {server}, {target.Driver}{over}");
        }

        foreach (var pair in record.Summaries.SelectMany(summary => summary.OneWay))
        {
            var error = pair.Offset is { } offset ? $", E ±{Quantity.Duration(offset.ErrorWorstNs)}" : string.Empty;
            yield return ("One way", $"{pair.Consumer}: grade {pair.Grade?.ToString() ?? "none"}{error}, by "
                + pair.ClockMode);
        }

        yield return ("Measured by", $"RedisLatency {record.SuiteVersion.Split('+')[0]}");
    }

    private static string WhoOf(RunRecord record) =>
        $"{record.Role} {record.Instance}" + (record.Region is null ? string.Empty : $" in {record.Region}");

    private static Section[] WithRows(params Section[] sections) =>
        [.. sections.Where(section => section.Tables.Any(table => table.Rows.Count > 0))];

    private static Section SeriesOf(RunTimelines timelines)
    {
        var table = new Table("series", "n", "p50", "p90", "p99", "p99.9", "max");
        foreach (var series in timelines.Series.Where(series => series.All.TotalCount > 0))
        {
            table.Add(
            [
                series.Name,
                Quantity.Count(series.All.TotalCount),
                .. new[] { 50, 90, 99, 99.9 }.Select(percentile => At(series.All, percentile)),
                Quantity.Duration(series.All.Max),
            ]);
        }

        return new Section("Latency").Add(table);
    }

    private static string At(LatencyHistogram values, double percentile) =>
        LatencyTable.Cell(PercentileRow.Of(values, percentile));

    private static string CommandOf(RunRecord record)
    {
        var options = record.Options.Where(option => option.Source != OptionSource.Default)
            .SelectMany(option => option.Values ?? [option.Value], (option, value) =>
                char.IsAsciiLetterUpper(option.Name[0]) ? ShellWord.Quoted(value)
                : value == "true" ? $"--{option.Name}" : $"--{option.Name} {ShellWord.Quoted(value)}");
        return $"redis-latency {string.Join(' ', options.Prepend(RecordKind.Of(record).Command(record)))}";
    }
}
