using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;
using RedisLatency.Reports.Summaries;

namespace RedisLatency.Reports.Page;

/// <summary>The tables of a run on a page, as its record has them.</summary>
internal static class PageTables
{
    private const string Throughput = "throughput";
    private const int MostColumns = 8;

    // The counts of all roles come in this order, and others after them; zeros are left out, but for the first four.
    private static readonly Metric[] First =
    [
        Counted.Asked, Counted.Sent, Counted.Returned, Counted.Lost, Counted.Unsent, Counted.Owed, Counted.Received,
        Counted.Echoed, Counted.Kept, Counted.Late, Counted.Duplicated, Counted.Reordered, Counted.Wrong,
        Counted.Foreign, Counted.Corrupted, Counted.Completed, Counted.Hits, Counted.Misses, Counted.Errors,
        Counted.TimedOut, Counted.Retried, Counted.Mismatched, Counted.Read, Counted.Missing, Counted.Skipped,
        Counted.Overwritten, Counted.Refused, Counted.Unread, Counted.InFlightLimitHits,
    ];

    public static Section Percentiles(RunRecord record)
    {
        var table = new Table("series", "p50", "p90", "p99", "p99.9", "max", "±E", "n", "missing");
        for (var place = 0; place < record.Summaries.Count; place++)
        {
            var mark = RecordMetrics.MarkOf(record, place);
            var summary = record.Summaries[place];
            foreach (var series in summary.Latencies.Where(series => series.Count is not 0))
                table.Add(Row(mark + series.Name, summary, series));
            foreach (var (number, pair) in summary.OneWay.Index())
            {
                var name = number == 0 ? mark : string.Create(CultureInfo.InvariantCulture, $"{mark}{number + 1}.");
                foreach (var series in pair.Series.Where(
                    one => one.Count > 0 && pair.Grade is not (null or OneWayGrade.F)))
                    table.Add(Row(name, series));
            }
        }

        foreach (var series in record.Forward?.Series ?? [])
            table.Add(Row(string.Empty, series));
        return new Section("Latency").Add(table.WithoutEmptyColumns());
    }

    /// <summary>What each phase of a load came to, by the series that it is about.</summary>
    public static Section Phases(RunRecord record)
    {
        var table = new Table(
            "phase", "asked", "per second", "p50", "p90", "p99", "p99.9", "max", "n", "missing", "errors");
        foreach (var (place, summary) in record.Summaries.Index().Where(phase => phase.Item.Workload is not null))
        {
            var cells = Headline.SeriesOf(summary) is { } series ? Row(string.Empty, summary, series) : [];
            var errors = record.Metrics.GetValueOrDefault($"{RecordMetrics.MarkOf(record, place)}errors");
            table.Add(
            [
                NameOf(record, place),
                summary.Rates.Asked is { } asked ? Quantity.Rate(asked) : string.Empty,
                summary.Rates.Achieved is { } achieved ? Quantity.Rate(achieved) : string.Empty,
                .. cells is [] ? Enumerable.Repeat(Quantity.None, 5) : cells[1..6],
                cells is [] ? "0" : cells[7],
                cells is [] ? string.Empty : cells[8],
                errors > 0 ? Quantity.Count((long)errors) : string.Empty,
            ]);
        }

        return new Section("Phases").Add(table.WithoutEmptyColumns());
    }

    public static Section Counts(RunRecord record)
    {
        var marks = Enumerable.Range(0, record.Summaries.Count)
            .Select(place => RecordMetrics.MarkOf(record, place)).ToList();
        var others = record.Summaries.SelectMany(summary => summary.Metrics)
            .Where(row => row is { Labels: null, Unit: null, Merge: MergeRule.Sum }).Select(row => row.Name);
        var rows = new List<string[]>();
        foreach (var (place, name) in First.Select(metric => metric.Name).Concat(others).Distinct().Index())
        {
            if (marks.Exists(mark => record.Metrics.TryGetValue(mark + name, out var count)
                && (count > 0 || place < 4)))
                rows.Add([name, .. CellsOf(name, count => Quantity.Count((long)count))]);
        }

        if (marks.Exists(mark => record.Metrics.ContainsKey(mark + Throughput)))
            rows.Add(["per second", .. CellsOf(Throughput, Quantity.Rate)]);
        return new Section("Counts").Add(
            CountsOf([.. record.Summaries.Select((_, place) => NameOf(record, place))], rows));

        IEnumerable<string> CellsOf(string name, Func<double, string> show) => marks.Select(
            mark => record.Metrics.TryGetValue(mark + name, out var value) ? show(value) : string.Empty);
    }

    /// <summary>A column for each of what is counted in, or, of dozens of phases, a row.</summary>
    /// <param name="names">What is counted in.</param>
    /// <param name="rows">What is counted, and a value for each of these.</param>
    public static Table CountsOf(IReadOnlyList<string> names, IReadOnlyList<string[]> rows)
    {
        // No window is as wide as they are many.
        var isTall = names.Count <= Math.Max(MostColumns, rows.Count);
        var table = isTall ? new Table(["what", .. names]) : new Table(["phase", .. rows.Select(row => row[0])]);
        var turned = names.Select((name, place) => rows.Select(row => row[place + 1]).Prepend(name));
        foreach (var row in isTall ? rows : turned)
            table.Add(row);
        return table;
    }

    // With what its series and counts are marked with.
    private static string NameOf(RunRecord record, int place) =>
        $"{RecordMetrics.MarkOf(record, place)} {record.Summaries[place].Name}".TrimStart();

    public static Section Options(IEnumerable<RecordedOption> options)
    {
        var table = new Table("option", "value", "from");
        foreach (var option in options.OrderBy(option => option.Source == OptionSource.Default))
            table.Add(option.Name, option.Value, Origin(option.Source));
        return new Section("Options in effect").Add(table);
    }

    public static Section Environment(RunRecord record)
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
        var table = new Table("what", "it is");
        foreach (var (name, value) in facts)
        {
            if (value is not null)
                table.Add(name, value);
        }

        return new Section("Environment").Add(table);
    }

    private static string[] Row(string mark, OneWaySeries series) => Row(
        mark + series.Name,
        percentile => LatencyTable.Cell(series.Percentiles.At(percentile)),
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
        name,
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
