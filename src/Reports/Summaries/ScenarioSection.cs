using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>
/// Phases as rows, in the form of the published table: operations per second, average and 99th percentile of each
/// operation, each with the published figure beside it.
/// </summary>
internal sealed class ScenarioSection(ScenarioFacts? scenario, IReadOnlyList<RunSummary> phases)
{
    private static readonly string[] Shown = ["records", "total-size", "operations", "duration", "clients", "threads"];

    public IEnumerable<Section> Create()
    {
        List<Section> sections = [new(scenario is null ? "PHASES" : $"SCENARIO {scenario.Name}")];
        sections[0].Add(scenario?.Description);
        if (scenario is { Scale: not 1 })
        {
            var scale = scenario.Scale.ToString("0.############", CultureInfo.InvariantCulture);
            sections[0].Add($"scale {scale}: so much of the records, operations, durations and pauses");
        }

        sections.AddRange(phases.GroupBy(phase => WorkloadResults.Of(phase).Group)
            .Select(group => Of(group.Key, [.. group])));
        LatencyTable.Explain(sections[^1], [.. sections.SelectMany(section => section.Tables)]);
        if (phases.Any(phase => WorkloadResults.Of(phase).Published.Count > 0))
        {
            var source = scenario?.Source ?? "as the scenario file has it";
            sections[^1].Add($"published: {source}; another machine, another server, another network");
        }

        return sections;
    }

    private static Section Of(string? name, List<RunSummary> group)
    {
        var section = new Section().Add(name is null ? OptionsOf(group) : $"{name}: {OptionsOf(group)}");
        var published = group.SelectMany(phase => WorkloadResults.Of(phase).Published).ToList();
        var hasPublished = published.Count > 0;
        var hasLatencies = published.Exists(figure => figure.AverageUs is not null || figure.P99Us is not null);
        var table = hasLatencies
            ? new Table(string.Empty, "QPS", "published", "avg µs", "publ.", "p99 µs", "publ.")
            : hasPublished ? new Table(string.Empty, "QPS", "published", "avg µs", "p99 µs")
            : new Table(string.Empty, "QPS", "avg µs", "p50 µs", "p99 µs", "p99.9 µs", "errors");
        foreach (var phase in group)
        {
            if (hasLatencies)
                AddCompared(table, phase);
            else if (hasPublished)
                AddRated(table, phase);
            else
                AddPlain(table, phase);
        }

        return section.Add(table);
    }

    private static void AddPlain(Table table, RunSummary phase)
    {
        var workload = WorkloadResults.Of(phase);
        var operations = workload.Operations;
        table.Add([workload.Phase, .. Plain(phase, phase, null),
            Quantity.Count(operations.Count == 0 ? null : operations.Sum(one => Wrong(phase, one)))]);
        if (operations.Count < 2)
            return;
        foreach (var operation in operations)
        {
            table.Add(
            [
                $"  {operation.Name}", .. Plain(phase, null, operation.Name), Quantity.Count(Wrong(phase, operation)),
            ]);
        }
    }

    private static string[] Plain(RunSummary phase, RunSummary? rated, string? operation)
    {
        var series = SeriesOf(phase, operation);
        return
        [
            RateOf(rated), MeanOf(series), PercentileOf(series, 50),
            PercentileOf(series, 99), PercentileOf(series, 99.9),
        ];
    }

    private static void AddCompared(Table table, RunSummary phase)
    {
        var workload = WorkloadResults.Of(phase);
        var published = workload.Published;
        var whole = published.FirstOrDefault(figure => figure is { Operation: null, Category: null });
        var isSplit = published.Any(figure => figure.Operation is not null);
        table.Add(
            [
                workload.Phase, RateOf(phase), RateOf(whole?.Qps),
                .. isSplit ? [] : Compared(SeriesOf(phase, null), whole),
            ]);
        foreach (var figure in published.Where(figure => figure.Operation is not null))
        {
            table.Add(
                [$"  {figure.Operation}", string.Empty, string.Empty,
                    .. Compared(SeriesOf(phase, figure.Operation), figure)]);
        }

        foreach (var figure in published.Where(figure => figure.Category is not null))
            table.Add($"  {figure.Category}", string.Empty, RateOf(figure.Qps));
    }

    // Where only throughputs were published.
    private static void AddRated(Table table, RunSummary phase)
    {
        var series = SeriesOf(phase, null);
        var workload = WorkloadResults.Of(phase);
        var figures = workload.Published;
        table.Add(
            workload.Phase, RateOf(phase), RateOf(figures.FirstOrDefault(figure => figure.Category is null)?.Qps),
            MeanOf(series), PercentileOf(series, 99));
        foreach (var figure in figures.Where(figure => figure.Category is not null))
            table.Add($"  {figure.Category}", string.Empty, RateOf(figure.Qps));
    }

    private static string[] Compared(LatencySeries? series, PublishedFigure? figure) =>
    [
        MeanOf(series), Plain(figure?.AverageUs), PercentileOf(series, 99),
        Plain(figure?.P99Us),
    ];

    // In an open loop what users would have seen counts: from the intended send.
    private static LatencySeries? SeriesOf(RunSummary phase, string? operation)
    {
        var prefix = operation is null ? string.Empty : $"{operation}-";
        return phase.Latencies.FirstOrDefault(series => series.Name == $"{prefix}response")
            ?? phase.Latencies.FirstOrDefault(series => series.Name == $"{prefix}service");
    }

    private static string OptionsOf(List<RunSummary> group)
    {
        var words = Shown.Select(name => (Name: name, Values: group
                .Select(phase => WorkloadResults.Of(phase).Options.GetValueOrDefault(name))
                .OfType<string>().Distinct().ToList()))
            .Where(option => option.Values.Count > 0)
            .Select(option => $"{option.Name} {string.Join('/', option.Values)}");
        var text = string.Join(", ", words);
        return text.Length > 0 ? text
            : group.Exists(phase => WorkloadResults.Of(phase).Engine is not null) ? "as the defaults have it"
            : "options are not known";
    }

    private static long Wrong(RunSummary phase, OperationResult operation) =>
        ((Metric[])[Counted.Errors, Counted.TimedOut, Counted.Lost])
            .Sum(metric => phase.Count(metric, operation.Name) ?? 0);

    private static string MeanOf(LatencySeries? series) =>
        series is { Count: > 0, Mean: null } ? LatencyTable.Missing : Microseconds(series?.Mean);

    private static string PercentileOf(LatencySeries? series, double percentile)
    {
        var row = series?.Percentiles.At(percentile);
        return row?.Value is { } value ? LatencyTable.MarkOf(row) + Microseconds(value)
            : series is { Count: > 0 } ? LatencyTable.WordFor(row)
            : Quantity.None;
    }

    private static string RateOf(RunSummary? phase) => RateOf(phase?.Rates.Achieved, phase is null);

    private static string RateOf(double? rate, bool isEmpty = false) => isEmpty ? string.Empty
        : rate is { } known ? Quantity.Count((long)Math.Round(known)) : Quantity.None;

    private static string Microseconds(double? nanoseconds) => Plain(nanoseconds / 1e3);

    private static string Plain(double? microseconds) => microseconds is { } known
        ? known.ToString(known < 100 ? "0.#" : "#,0", CultureInfo.InvariantCulture)
        : Quantity.None;
}
