using System.Globalization;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>A workload's run record, as its summaries need it.</summary>
public static class WorkloadResults
{
    public const string Role = "workload";

    /// <summary>The phases that were asked for; the floor run is not one of them.</summary>
    public static IReadOnlyList<RunSummary> PhasesOf(RunRecord record) =>
        [.. record.Summaries.Where(summary => summary.Workload is { IsFloor: false })];

    /// <summary>What a phase did as a workload.</summary>
    /// <exception cref="InvalidDataException">It is none.</exception>
    public static WorkloadResult Of(RunSummary phase) =>
        phase.Workload ?? throw new InvalidDataException($"{phase.Name} is no phase of a workload.");

    /// <summary>What the last line says: the counts of all phases together, and how fast the last one was.</summary>
    public static IEnumerable<string> ResultWords(RunRecord record)
    {
        var phases = PhasesOf(record);
        yield return $"phases={ResultLine.Text(phases.Count)}";
        yield return $"sent={ResultLine.Text(phases.Sum(phase => phase.Counts.Sent ?? 0))}";
        yield return $"returned={ResultLine.Text(phases.Sum(phase => phase.Counts.Returned ?? 0))}";
        yield return $"unsent={ResultLine.Text(phases.Sum(phase => phase.Counts.Unsent ?? 0))}";
        yield return $"lost={ResultLine.Text(phases.Sum(phase => phase.Counts.Lost ?? 0))}";
        yield return $"timed_out={ResultLine.Text(Sum(phases, operation => operation.TimedOut))}";
        yield return $"errors={ResultLine.Text(Sum(phases, operation => operation.Errors))}";
        yield return $"misses={ResultLine.Text(Sum(phases, operation => operation.Misses))}";
        if (phases.Count == 0)
            yield break;
        var last = phases[^1];
        yield return $"rate={(last.Rates.Achieved ?? 0).ToString("0.#", CultureInfo.InvariantCulture)}";
        if (Of(last).Engine.CpuPerOperationNs is { } cpu)
            yield return $"cpu_us={ResultLine.Microseconds(cpu)}";
        foreach (var series in last.Latencies.Where(series => series.Name is "service" or "response"))
        {
            foreach (var row in series.Percentiles.Where(row => row.Percentile is 50 or 99 && row.Value is not null))
            {
                yield return $"{series.Name}_p{ResultLine.Text((long)row.Percentile)}_us="
                    + ResultLine.Microseconds(row.Value!.Value);
            }
        }
    }

    private static long Sum(IReadOnlyList<RunSummary> phases, Func<OperationResult, long> count) =>
        phases.Sum(phase => Of(phase).Operations.Sum(count));
}
