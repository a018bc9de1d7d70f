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
}
