using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Page;

/// <summary>The tables of a run on a page, as its record has them.</summary>
internal static class PageTables
{
    private const string Throughput = "throughput";

    // The counts of all roles come in this order, and others after them; zeros are left out, but for the first four.
    private static readonly Metric[] First =
    [
        Counted.Asked, Counted.Sent, Counted.Returned, Counted.Lost, Counted.Unsent, Counted.Owed, Counted.Received,
        Counted.Echoed, Counted.Kept, Counted.Late, Counted.Duplicated, Counted.Reordered, Counted.Wrong,
        Counted.Foreign, Counted.Corrupted, Counted.Completed, Counted.Hits, Counted.Misses, Counted.Errors,
        Counted.TimedOut, Counted.Retried, Counted.Mismatched, Counted.Read, Counted.Missing, Counted.Skipped,
        Counted.Overwritten, Counted.Refused, Counted.Unread, Counted.InFlightLimitHits,
    ];

    public static PageTable Percentiles(RunRecord record)
    {
        var rows = new List<string[]>();
        for (var place = 0; place < record.Summaries.Count; place++)
        {
            var mark = RecordMetrics.MarkOf(record, place);
            var summary = record.Summaries[place];
            rows.AddRange(summary.Latencies.Where(series => series.Count is not 0)
                .Select(series => Row(mark + series.Name, summary, series)));
            for (var pair = 0; pair < record.Summaries[place].OneWay.Count; pair++)
            {
                var oneWay = record.Summaries[place].OneWay[pair];
                var number = pair == 0 ? mark : string.Create(CultureInfo.InvariantCulture, $"{mark}{pair + 1}.");
                if (oneWay.Grade is not null and not OneWayGrade.F)
                    rows.AddRange(oneWay.Series.Where(one => one.Count > 0).Select(one => Row(number, one)));
            }
        }

        foreach (var series in record.Forward?.Series ?? [])
            rows.Add(Row(string.Empty, series));
        return new PageTable(
            "Latency", ["series", "p50", "p90", "p99", "p99.9", "max", "±E", "n", "missing"], rows)
            .WithoutEmptyColumns();
    }

    /// <summary>What each phase of a load came to, by the series that it is about.</summary>
    public static PageTable Phases(RunRecord record) => new PageTable(
        "Phases",
        ["phase", "asked", "per second", "p50", "p90", "p99", "p99.9", "max", "n", "missing", "errors"],
        [
            .. record.Summaries.Index().Where(phase => phase.Item.Workload is not null).Select(phase =>
            {
                var (place, summary) = phase;
                var cells = Headline.SeriesOf(summary) is { } series ? Row(string.Empty, summary, series) : [];
                var errors = record.Metrics.GetValueOrDefault($"{RecordMetrics.MarkOf(record, place)}errors");
                return (string[])
                [
                    NameOf(record, place),
                    summary.Rates.Asked is { } asked ? Quantity.Rate(asked) : string.Empty,
                    summary.Rates.Achieved is { } achieved ? Quantity.Rate(achieved) : string.Empty,
                    .. cells is [] ? Enumerable.Repeat(Quantity.None, 5) : cells[1..6],
                    cells is [] ? "0" : cells[7],
                    cells is [] ? string.Empty : cells[8],
                    errors > 0 ? Quantity.Count((long)errors) : string.Empty,
                ];
            }),
        ]).WithoutEmptyColumns();

    public static PageTable Counts(RunRecord record)
    {
        var marks = Enumerable.Range(0, record.Summaries.Count)
            .Select(place => RecordMetrics.MarkOf(record, place)).ToList();
        var others = record.Summaries.SelectMany(summary => summary.Metrics)
            .Where(row => row is { Labels: null, Unit: null, Merge: MergeRule.Sum }).Select(row => row.Name);
        var rows = First.Select(metric => metric.Name).Concat(others).Distinct().Index()
            .Where(name => marks.Exists(mark => record.Metrics.TryGetValue(mark + name.Item, out var count)
                && (count > 0 || name.Index < 4)))
            .Select(name => (string[])
            [
                name.Item,
                .. marks.Select(mark => record.Metrics.TryGetValue(mark + name.Item, out var count)
                    ? Quantity.Count((long)count) : string.Empty),
            ]).ToList();
        if (marks.Exists(mark => record.Metrics.ContainsKey(mark + Throughput)))
        {
            rows.Add([
                "per second",
                .. marks.Select(mark => record.Metrics.TryGetValue(mark + Throughput, out var rate)
                    ? Quantity.Rate(rate) : string.Empty),
            ]);
        }

        return new PageTable(
            "Counts", ["what", .. record.Summaries.Select((_, place) => NameOf(record, place))], rows);
    }

    // With what its series and counts are marked with.
    private static string NameOf(RunRecord record, int place) =>
        PageRun.Clean($"{RecordMetrics.MarkOf(record, place)} {record.Summaries[place].Name}".TrimStart());

    public static PageTable Options(RunRecord record) => new(
        "Options in effect",
        ["option", "value", "from"],
        [
            .. record.Options.OrderBy(option => option.Source == OptionSource.Default).Select(option => (string[])
            [
                PageRun.Clean(option.Name), PageRun.Clean(option.Value), Origin(option.Source),
            ]),
        ]);

    public static PageTable Environment(RunRecord record)
    {
        var machine = record.Environment;
        (string Name, string? Value)[] facts =
        [
            ("machine", machine.MachineName),
            ("processors", $"{machine.Cores} × {machine.ProcessorModel}, {machine.Architecture}"),
            ("quota of processors", machine.CpuQuotaCores is { } quota ? Quantity.Number(quota) : null),
            ("system", $"{machine.OperatingSystem}, {machine.Kernel}"),
            ("runtime", $"{machine.Runtime.Version}, {machine.Runtime.DescribeBuild()}"),
            ("clock source", machine.ClockSource),
            ("frequency governor", machine.FrequencyGovernor),
            ("idle states", machine.IdleStates),
            ("longest pause of this tool", record.Hiccups is { Max: { } most } ? Quantity.Duration(most) : null),
            ("garbage collections", record.GcPauses is { } pauses
                ? $"{pauses.Collections}, {Quantity.Duration(pauses.TotalPauseNs)} in all" : null),
            ("processors used by this tool", record.Cpu is { } cpu ? Quantity.Number(cpu.ProcessCores) : null),
            .. record.Targets.SelectMany(target => (target.Server?.Facts ?? new Dictionary<string, string>())
                .Select(fact => ($"{target.Name} {fact.Key}", (string?)fact.Value))),
        ];
        return new PageTable(
            "Environment",
            ["what", "it is"],
            [
                .. facts.Where(fact => fact.Value is not null)
                    .Select(fact => (string[])[PageRun.Clean(fact.Name), PageRun.Clean(fact.Value ?? string.Empty)]),
            ]);
    }

    private static string[] Row(string mark, OneWaySeries series) => Row(
        mark + series.Name,
        percentile => series.Percentiles.At(percentile) is { Value: { } known } row
            ? LatencyTable.MarkOf(row) + Quantity.Duration(known)
            : LatencyTable.WordFor(series.Percentiles.At(percentile)),
        series.Max,
        Quantity.Duration(series.ErrorNs),
        (series.Count, series.Missing));

    private static string[] Row(string name, RunSummary summary, LatencySeries series) => Row(
        name,
        new DelayCells(summary, series.Name, value => Quantity.Duration(value)).Percentile,
        series.Max,
        string.Empty,
        (series.Count, series.Missing));

    private static string[] Row(
        string name, Func<double, string> percentile, long? max, string error, (long? Known, long? Missing) count) =>
    [
        PageRun.Clean(name),
        .. new[] { 50, 90, 99, 99.9 }.Select(percentile),
        max is { } most ? Quantity.Duration(most) : Quantity.None,
        error,
        Quantity.Count(count.Known),
        count.Missing > 0 ? Quantity.Count(count.Missing) : string.Empty,
    ];

    private static string Origin(OptionSource source) => source switch
    {
        OptionSource.CommandLine => "command line",
        OptionSource.Environment => "environment",
        OptionSource.File => "file",
        _ => "default",
    };
}
