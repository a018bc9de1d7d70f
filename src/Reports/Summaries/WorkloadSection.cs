using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.Sections;

namespace RedisLatency.Reports.Summaries;

/// <summary>What a workload did: a few phases in full, many in one table.</summary>
internal sealed class WorkloadSection(RunRecord record)
{
    /// <summary>With more phases than this, or beside published figures, a table says what there is to say.</summary>
    private const int MostInFull = 2;

    private static readonly Metric[] OperationColumns =
    [
        Counted.Sent, Counted.Completed, Counted.Hits, Counted.Misses, Counted.Errors, Counted.TimedOut, Counted.Lost,
        Counted.Retried, Counted.Redirected, Counted.Mismatched,
    ];

    // The others only where there are some.
    private static readonly Metric[] AlwaysShown = [Counted.Sent, Counted.Completed, Counted.Errors, Counted.Lost];

    /// <summary>
    /// The answer has of the last phase operations and latencies, of all the rate; of a search and of two servers in
    /// turns no more than what these came to.
    /// </summary>
    public IEnumerable<Section> Create()
    {
        var phases = WorkloadResults.PhasesOf(record);
        if (record.Search is { } search)
            yield return SearchSection.Of(search);
        else if (record.Comparison is not null)
            yield return Turns(phases);
        var extent = record.Search is null && record.Comparison is null ? Extent.Both : Extent.Details;
        var sections = phases.Count > MostInFull || record.Scenario is not null
            ? new ScenarioSection(record.Scenario, phases).Create()
            : phases.SelectMany((phase, place) => InFull(phases, phase, place == phases.Count - 1));
        foreach (var section in sections.Concat(Floors()))
            yield return section.Within(extent);
    }

    // Of two servers in turns there is a phase for each turn, and a group for each server.
    private static Section Turns(IReadOnlyList<RunSummary> phases)
    {
        var section = new Section(null, Extent.Answer);
        foreach (var turns in phases.Where(phase => WorkloadResults.Of(phase).Verb == "run")
            .GroupBy(phase => WorkloadResults.Of(phase).Group))
        {
            var (done, seconds) = (turns.Sum(turn => turn.Count(Counted.Returned) ?? 0),
                turns.Sum(turn => turn.DurationNs ?? 0) / 1e9);
            section.Add($"{turns.Key}: asked {Quantity.Count(turns.Sum(turn => turn.Count(Counted.Asked) ?? 0))}, "
                + $"completed {Quantity.Count(done)}; {Quantity.Rate(done / Math.Max(1e-9, seconds))}");
        }

        return section;
    }

    private static IEnumerable<Section> InFull(IReadOnlyList<RunSummary> phases, RunSummary phase, bool isLast)
    {
        var workload = WorkloadResults.Of(phase);
        var limit = workload.Limit is { } known ? $"limit: {known}" : null;
        yield return new Section($"PHASE {phase.Name}", Extent.Details).Add(RateOf(phase))
            .Add(workload.Engine is { } engine ? EngineOf(phase, engine) : []).Add(BytesOf(phase)).Add(limit);
        var extent = isLast ? Extent.Both : Extent.Details;
        var section = new Section(null, extent);
        if (isLast)
        {
            // Of one closed loop the first line says it.
            section.Add(phases.Where(one => phases.Count > 1 || one.Rates.Asked is not null)
                .Select(one => RateOf(one, $"{one.Name}: ")), Extent.Answer).Add(limit, Extent.Answer);
        }

        section.Add(Operations(phase));
        if (workload.Engine?.Servers is { Count: > 0 } servers)
        {
            yield return section;
            section = new Section(null, Extent.Details).Add(Servers(servers));
        }

        if (workload.Operations.Count > 0)
        {
            yield return section;
            section = new Section(null, extent);
        }

        AddLatencies(section, phase);
        if (workload.ServerCommands.Count > 0)
        {
            yield return section;
            section = new Section(null, Extent.Details).Add(ServersOwn(workload));
        }

        if ((phase.Count(Counted.KeysBefore), phase.Count(Counted.KeysAfter)) is ({ } before, { } after))
        {
            var warmUp = workload.ServerCommands.Count > 0 && workload.Verb == "run"
                ? "; what servers count has the warm-up in it"
                : string.Empty;
            section.Add($"keys before {Quantity.Count(before)}, after {Quantity.Count(after)}{warmUp}", Extent.Details);
        }

        yield return section;
    }

    private static string RateOf(RunSummary phase, string name = "")
    {
        var achieved = phase.Rates.Achieved ?? double.NaN;
        // Another tool does not always say how many there were.
        if (phase.Count(Counted.Returned) is not { } returned)
            return $"{name}{Quantity.Rate(achieved)}";
        var time = phase.DurationNs is { } known ? $" in {Quantity.Duration(known)}" : string.Empty;
        var lasted = $"{name}{Quantity.Count(returned)} operations{time}";
        return phase.Rates.Asked is { } asked
            ? $"{lasted}: asked {Quantity.Rate(asked)}, achieved {Quantity.Rate(achieved)} "
                + $"({Quantity.Percent(achieved / asked)})"
                + (phase.Count(Counted.Unsent) is { } unsent ? $", {Quantity.Count(unsent)} unsent" : string.Empty)
                + (phase.Count(Counted.InFlightLimitHits) is { } hits
                    ? $", {Quantity.Count(hits)} held back" : string.Empty)
            : $"{lasted}: {Quantity.Rate(achieved)}";
    }

    private static IEnumerable<string?> EngineOf(RunSummary phase, EngineFacts engine)
    {
        var share = phase.Metrics.Value(Cost.Busy);
        var busy = Quantity.Percent(Math.Round(share ?? double.NaN, 3));
        yield return engine.IsClientLibrary
            ? $"{Quantity.Count(engine.Threads)} × {Quantity.Count(engine.ConnectionsPerThread * engine.Pipeline)} "
                + $"callers, those of a thread on one multiplexer, by {engine.Loop}; this process used {busy} of the "
                + "processors"
            : $"{Quantity.Count(engine.Threads)} × {Quantity.Count(engine.ConnectionsPerThread)} "
                + $"connections{(engine.Servers.Count > 0 ? " to each server" : string.Empty)}, "
                + (engine.Pipeline is { } pipeline ? $"{Quantity.Count(pipeline)} in flight on each, " : string.Empty)
                + $"by {engine.Loop}"
                + (share is null ? string.Empty : $"; busiest thread {busy}");
        if (phase.Count(Counted.Renewed) is > 0 and var renewed)
            yield return $"{Quantity.Count(renewed)} connections were opened again on purpose";
        if (phase.Count(Counted.IdleConnections) is > 0 and var idle)
        {
            yield return $"{Quantity.Count(idle)} idle connections beside them, of which the server "
                + $"closed {Quantity.Count(phase.Count(Counted.IdleClosed))}";
        }

        yield return CostOf(phase, engine);
    }

    private static string? BytesOf(RunSummary phase)
    {
        if (phase.Count(Counted.BytesSent) is not { } sent || phase.DurationNs is not > 0)
            return null;
        var seconds = phase.DurationNs.Value / 1e9;
        return $"out {Quantity.ByteRate(sent / seconds)}, "
            + $"in {Quantity.ByteRate((phase.Count(Counted.BytesReceived) ?? 0) / seconds)}";
    }

    private static string? CostOf(RunSummary phase, EngineFacts engine)
    {
        var cpu = phase.Metrics.Value(Cost.CpuPerOperation) is { } time ? $"{Quantity.Duration(time)} of CPU" : null;
        var bytes = phase.Metrics.Value(Cost.AllocatedPerOperation) is { } allocated
            ? $"{allocated.ToString(allocated < 100 ? "0.##" : "#,0", CultureInfo.InvariantCulture)} bytes allocated"
            : null;
        if ((cpu ?? bytes) is null)
            return null;
        return $"each operation cost {string.Join(" and ", new[] { cpu, bytes }.OfType<string>())}"
            + (engine.IsCpuOfProcess ? ", of all threads of this process" : ", of the threads that drive them");
    }

    // The latencies of each operation have a table of their own but in the answer.
    private static Table? Operations(RunSummary phase)
    {
        var workload = WorkloadResults.Of(phase);
        if (workload.Operations.Count == 0)
            return null;
        var counts = OperationColumns.Select(column => (Column: column, Extent: ExtentOf(column)))
            .Where(count => count.Extent != default).ToList();
        var table = new Table(
        [
            "operations", .. counts.Select(count => count.Column.Name), .. AnswerLine.Shown.Select(LatencyTable.NameOf),
        ])
        {
            Columns =
            [
                Extent.Both, .. counts.Select(count => count.Extent), .. AnswerLine.Shown.Select(_ => Extent.Answer),
            ],
        };
        foreach (var operation in workload.Operations)
        {
            var latencies = SeriesOf(operation.Name, Measured.Response) ?? SeriesOf(operation.Name, Measured.Service);
            table.Add(
            [
                operation.Name,
                .. counts.Select(count => Quantity.Count(phase.Count(count.Column, operation.Name))),
                .. AnswerLine.Shown.Select(percentile =>
                    latencies is null ? Quantity.None : LatencyTable.Cell(latencies.Percentiles.At(percentile))),
            ]);
        }

        return table;

        LatencySeries? SeriesOf(string operation, string name) => phase.Latencies.FirstOrDefault(
            series => series.Name == Measured.OfOperation(operation, name));

        Extent ExtentOf(Metric column) =>
            workload.Operations.Any(known => phase.Count(column, known.Name) > 0) ? Extent.Both
            : workload.Operations.All(known => phase.Count(column, known.Name) is null) ? default
            : column == Counted.Sent ? Extent.Both
            : AlwaysShown.Contains(column) ? Extent.Details
            : default;
    }

    private static Table Servers(IReadOnlyList<ServerShare> servers)
    {
        var table = new Table("servers", "role", "reads", "writes");
        foreach (var server in servers)
        {
            table.Add(
                server.Address, server.Role ?? "(gone)", Quantity.Count(server.Reads), Quantity.Count(server.Writes));
        }

        return table;
    }

    private static void AddLatencies(Section section, RunSummary phase)
    {
        var columns = ColumnsOf(phase);
        if (columns.Count == 0)
            return;
        var unit = Quantity.UnitFor([.. columns.Where(column => column.Series.Name != Measured.Lateness)
            .Select(column => column.Series.Min ?? 0)]);
        var table = new LatencyTable(columns, unit).ToTable();
        section.Add($"latency, {Quantity.Symbol(unit)}"
            + (phase.Rates.Asked is null ? ", from the send to the reply" : string.Empty)).Add(table);
        if (phase.Rates.Asked is not null)
            section.Add("response: from the scheduled send; service: from the actual send");
        LatencyTable.Explain(section, table);
        // The first is what users would have seen: all operations, from the intended send.
        section.Add(
            IntervalText.Of($"95 % intervals of {columns[0].Head}", columns[0].Series), Extent.Details);
        if (columns.Exists(column => column.Series.Percentiles.Any(row => row.Lower is not null)))
            section.Add(IntervalText.Meaning, Extent.Details);
    }

    // Of one operation the series of all is the same; of several the answer has that of all.
    private static List<LatencyColumn> ColumnsOf(RunSummary phase)
    {
        var operations = WorkloadResults.Of(phase).Operations.Count;
        return
        [
            .. phase.Latencies.Where(
                series => operations != 1 || series.Name is not (Measured.Service or Measured.Response))
                .Select(series => new LatencyColumn(
                    series.Name, series,
                    operations < 2 || series.Name is Measured.Service or Measured.Response or Measured.Lateness
                        ? Extent.Both : Extent.Details)),
        ];
    }

    private static Table ServersOwn(WorkloadResult workload)
    {
        var head = workload.ServersAsked > 1 ? "servers' own" : "server's own";
        var table = new Table(head, "calls", "failed", "mean µs", "p50 ≤ µs", "p99 ≤ µs");
        foreach (var use in workload.ServerCommands)
        {
            table.Add(
                use.Command, Quantity.Count(use.Calls), Quantity.Count(use.Failed + use.Rejected),
                use.MeanMicroseconds?.ToString("0.00", CultureInfo.InvariantCulture) ?? Quantity.None,
                Quantity.Count(use.P50Microseconds), Quantity.Count(use.P99Microseconds));
        }

        return table;
    }

    private IEnumerable<Section> Floors() =>
        record.Summaries.Where(summary => summary.Workload is { IsFloor: true }).Select(Floor);

    private static Section Floor(RunSummary floor)
    {
        var service = floor.Latencies.FirstOrDefault(series => series.Name == Measured.Service);
        var median = service?.Percentiles.At(50)?.Value;
        return new Section("FLOOR").Add("the same against the in-process server: "
            + Quantity.Rate(floor.Rates.Achieved ?? double.NaN)
            + (median is { } known ? $", p50 {Quantity.Duration(known)}" : string.Empty)
            + "; server and tool share this process, so a server of its own may be faster");
    }
}
