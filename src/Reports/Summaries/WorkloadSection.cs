using System.Globalization;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

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

    public void WriteTo(TextWriter writer)
    {
        if (record.Search is { } search)
            SearchSection.Write(writer, search);
        var phases = WorkloadResults.PhasesOf(record);
        if (phases.Count > MostInFull || record.Scenario is not null)
            new ScenarioSection(record.Scenario, phases).WriteTo(writer);
        else
            WriteInFull(writer, phases);
        WriteFloors(writer);
    }

    /// <summary>The same on one screen: of the last phase operations and latencies, of all the rate.</summary>
    public void WriteAnswer(TextWriter writer)
    {
        if (record.Search is { } search)
        {
            SearchSection.Write(writer, search);
            return;
        }

        var phases = WorkloadResults.PhasesOf(record);
        if (record.Comparison is not null)
        {
            WriteTurns(writer, phases);
            return;
        }

        if (phases.Count > MostInFull || record.Scenario is not null)
        {
            WriteTo(writer);
            return;
        }

        writer.WriteLine();
        // Of one closed loop the first line says it.
        foreach (var phase in phases.Where(phase => phases.Count > 1 || phase.Rates.Asked is not null))
            WriteRate(writer, phase, $"{phase.Name}: ");
        foreach (var phase in phases.TakeLast(1))
        {
            if (WorkloadResults.Of(phase).Limit is { } limit)
                writer.Line($"limit: {limit}");
            WriteOperations(writer, phase, isAnswer: true);
            WriteLatencies(writer, phase, isAnswer: true);
        }

        WriteFloors(writer);
    }

    // Of two servers in turns there is a phase for each turn, and a group for each server.
    private static void WriteTurns(TextWriter writer, IReadOnlyList<RunSummary> phases)
    {
        writer.WriteLine();
        foreach (var turns in phases.Where(phase => WorkloadResults.Of(phase).Verb == "run")
            .GroupBy(phase => WorkloadResults.Of(phase).Group))
        {
            var (done, seconds) = (turns.Sum(turn => turn.Count(Counted.Returned) ?? 0),
                turns.Sum(turn => turn.DurationNs ?? 0) / 1e9);
            writer.Line($"{turns.Key}: asked {Quantity.Count(turns.Sum(turn => turn.Count(Counted.Asked) ?? 0))}, "
                + $"completed {Quantity.Count(done)}; {Quantity.Rate(done / Math.Max(1e-9, seconds))}");
        }
    }

    private static void WriteInFull(TextWriter writer, IReadOnlyList<RunSummary> phases)
    {
        foreach (var phase in phases)
        {
            var workload = WorkloadResults.Of(phase);
            writer.Heading($"PHASE {phase.Name}");
            WriteRate(writer, phase);
            if (workload.Engine is { } engine)
                WriteEngine(writer, engine);
            WriteBytes(writer, phase);
            if (workload.Limit is { } limit)
                writer.Line($"limit: {limit}");
            writer.WriteLine();
            WriteOperations(writer, phase);
            WriteServers(writer, workload.Engine?.Servers ?? []);
            WriteLatencies(writer, phase);
            WriteServer(writer, workload);
        }
    }

    private static void WriteRate(TextWriter writer, RunSummary phase, string name = "")
    {
        var achieved = phase.Rates.Achieved ?? double.NaN;
        if (phase.Count(Counted.Returned) is not { } returned)
        {
            // Another tool measured, and does not say how many there were.
            writer.Line($"{name}{Quantity.Rate(achieved)}");
            return;
        }

        var time = phase.DurationNs is { } known ? $" in {Quantity.Duration(known)}" : string.Empty;
        var lasted = $"{name}{Quantity.Count(returned)} operations{time}";
        writer.Line(phase.Rates.Asked is { } asked
            ? $"{lasted}: asked {Quantity.Rate(asked)}, achieved {Quantity.Rate(achieved)} "
                + $"({Quantity.Percent(achieved / asked)})"
                + (phase.Count(Counted.Unsent) is { } unsent ? $", {Quantity.Count(unsent)} unsent" : string.Empty)
                + (phase.Count(Counted.InFlightLimitHits) is { } hits
                    ? $", {Quantity.Count(hits)} held back" : string.Empty)
            : $"{lasted}: {Quantity.Rate(achieved)}");
    }

    private static void WriteEngine(TextWriter writer, EngineFacts engine)
    {
        var busy = Quantity.Percent(Math.Round(engine.BusyShare ?? double.NaN, 3));
        writer.Line(engine.IsClientLibrary
            ? $"{Quantity.Count(engine.Threads)} × {Quantity.Count(engine.ConnectionsPerThread * engine.Pipeline)} "
                + $"callers, those of a thread on one multiplexer, by {engine.Loop}; this process used {busy} of the "
                + "processors"
            : $"{Quantity.Count(engine.Threads)} × {Quantity.Count(engine.ConnectionsPerThread)} "
                + $"connections{(engine.Servers.Count > 0 ? " to each server" : string.Empty)}, "
                + (engine.Pipeline is { } pipeline ? $"{Quantity.Count(pipeline)} in flight on each, " : string.Empty)
                + $"by {engine.Loop}"
                + (engine.BusyShare is null ? string.Empty : $"; busiest thread {busy}"));
        if (engine.Renewed > 0)
            writer.Line($"{Quantity.Count(engine.Renewed)} connections were opened again on purpose");
        if (engine.IdleConnections > 0)
        {
            writer.Line($"{Quantity.Count(engine.IdleConnections)} idle connections beside them, of which the server "
                + $"closed {Quantity.Count(engine.IdleClosed)}");
        }

        WriteCost(writer, engine);
    }

    private static void WriteBytes(TextWriter writer, RunSummary phase)
    {
        if (phase.Count(Counted.BytesSent) is not { } sent || phase.DurationNs is not > 0)
            return;
        var seconds = phase.DurationNs.Value / 1e9;
        writer.Line($"out {Quantity.ByteRate(sent / seconds)}, "
            + $"in {Quantity.ByteRate((phase.Count(Counted.BytesReceived) ?? 0) / seconds)}");
    }

    private static void WriteCost(TextWriter writer, EngineFacts engine)
    {
        if (engine is { CpuPerOperationNs: null, AllocatedBytesPerOperation: null })
            return;
        var cpu = engine.CpuPerOperationNs is { } time ? $"{Quantity.Duration(time)} of CPU" : null;
        var bytes = engine.AllocatedBytesPerOperation is { } allocated
            ? $"{allocated.ToString(allocated < 100 ? "0.##" : "#,0", CultureInfo.InvariantCulture)} bytes allocated"
            : null;
        writer.Line($"each operation cost {string.Join(" and ", new[] { cpu, bytes }.OfType<string>())}"
            + (engine.IsCpuOfProcess ? ", of all threads of this process" : ", of the threads that drive them"));
    }

    // The latencies of each operation have a table of their own but in the answer.
    private static void WriteOperations(TextWriter writer, RunSummary phase, bool isAnswer = false)
    {
        var workload = WorkloadResults.Of(phase);
        if (workload.Operations.Count == 0)
            return;
        var shown = OperationColumns.Where(column =>
            ((column == Counted.Sent || (!isAnswer && AlwaysShown.Contains(column)))
                && workload.Operations.Any(known => phase.Count(column, known.Name) is not null))
            || workload.Operations.Any(known => phase.Count(column, known.Name) > 0)).ToList();
        string[] percentiles = isAnswer ? [.. AnswerLine.Shown.Select(LatencyTable.NameOf)] : [];
        var table = new TextTable(["operations", .. shown.Select(column => column.Name), .. percentiles]);
        foreach (var operation in workload.Operations)
        {
            var latencies = phase.Latencies.FirstOrDefault(series => series.Name == $"{operation.Name}-response")
                ?? phase.Latencies.FirstOrDefault(series => series.Name == $"{operation.Name}-service");
            table.Add(
            [
                operation.Name, .. shown.Select(column => Quantity.Count(phase.Count(column, operation.Name))),
                .. percentiles.Length == 0 ? [] : AnswerLine.Shown.Select(percentile =>
                    latencies is null ? Quantity.None
                        : latencies.Percentiles.At(percentile) is { Value: { } value } ? Quantity.Duration(value)
                        : LatencyTable.WordFor(latencies.Percentiles.At(percentile))),
            ]);
        }

        table.WriteTo(writer);
    }

    private static void WriteServers(TextWriter writer, IReadOnlyList<ServerShare> servers)
    {
        if (servers.Count == 0)
            return;
        writer.WriteLine();
        var table = new TextTable("servers", "role", "reads", "writes");
        foreach (var server in servers)
        {
            table.Add(
                server.Address, server.Role ?? "(gone)", Quantity.Count(server.Reads), Quantity.Count(server.Writes));
        }

        table.WriteTo(writer);
    }

    private static void WriteLatencies(TextWriter writer, RunSummary phase, bool isAnswer = false)
    {
        var columns = ColumnsOf(phase, isAnswer);
        if (columns.Count == 0)
            return;
        var unit = Quantity.UnitFor([.. columns.Where(column => column.Series.Name != "lateness")
            .Select(column => column.Series.Min ?? 0)]);
        if (WorkloadResults.Of(phase).Operations.Count > 0)
            writer.WriteLine();
        writer.Line($"latency, {Quantity.Symbol(unit)}"
            + (phase.Rates.Asked is null ? ", from the send to the reply" : string.Empty));
        var table = new LatencyTable(columns, unit) { ShowsKnownOnly = isAnswer };
        table.WriteTo(writer);
        if (phase.Rates.Asked is not null)
            writer.Line("response: from the scheduled send; service: from the actual send");
        table.WriteLegend(writer, isAnswer ? 0 : 100);
        if (isAnswer)
            return;
        // The first is what users would have seen: all operations, from the intended send.
        IntervalText.Write(writer, $"95 % intervals of {columns[0].Head}", columns[0].Series);
        if (columns.Exists(column => column.Series.Percentiles.Any(row => row.Lower is not null)))
            writer.Line(IntervalText.Meaning);
    }

    // Of one operation the series of all is the same.
    private static List<(string Head, LatencySeries Series)> ColumnsOf(RunSummary phase, bool isAnswer)
    {
        var hasSeveral = WorkloadResults.Of(phase).Operations.Count > 1;
        if (hasSeveral && isAnswer)
        {
            return [.. phase.Latencies.Where(series => series.Name is "service" or "response" or "lateness")
                .Select(series => (series.Name, series))];
        }

        return
        [
            .. phase.Latencies
                .Where(series => hasSeveral || series.Name is not ("service" or "response")
                    || WorkloadResults.Of(phase).Operations.Count == 0)
                .Select(series => (series.Name, series)),
        ];
    }

    private static void WriteServer(TextWriter writer, WorkloadResult workload)
    {
        if (workload.ServerCommands.Count > 0)
        {
            writer.WriteLine();
            var head = workload.ServersAsked > 1 ? "servers' own" : "server's own";
            var table = new TextTable(head, "calls", "failed", "mean µs", "p50 ≤ µs", "p99 ≤ µs");
            foreach (var use in workload.ServerCommands)
            {
                table.Add(
                    use.Command, Quantity.Count(use.Calls), Quantity.Count(use.Failed + use.Rejected),
                    use.MeanMicroseconds?.ToString("0.00", CultureInfo.InvariantCulture) ?? Quantity.None,
                    Quantity.Count(use.P50Microseconds), Quantity.Count(use.P99Microseconds));
            }

            table.WriteTo(writer);
        }

        if (workload is { KeysBefore: { } before, KeysAfter: { } after })
        {
            var warmUp = workload.ServerCommands.Count > 0 && workload.Verb == "run"
                ? "; what servers count has the warm-up in it"
                : string.Empty;
            writer.Line($"keys before {Quantity.Count(before)}, after {Quantity.Count(after)}{warmUp}");
        }
    }

    private void WriteFloors(TextWriter writer)
    {
        foreach (var floor in record.Summaries.Where(summary => summary.Workload is { IsFloor: true }))
            WriteFloor(writer, floor);
    }

    private static void WriteFloor(TextWriter writer, RunSummary floor)
    {
        writer.Heading("FLOOR");
        var service = floor.Latencies.FirstOrDefault(series => series.Name == "service");
        var median = service?.Percentiles.At(50)?.Value;
        writer.Line("the same against the in-process server: "
            + Quantity.Rate(floor.Rates.Achieved ?? double.NaN)
            + (median is { } known ? $", p50 {Quantity.Duration(known)}" : string.Empty)
            + "; server and tool share this process, so a server of its own may be faster");
    }
}
