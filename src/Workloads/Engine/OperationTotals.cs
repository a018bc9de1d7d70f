using RedisLatency.Reports.Figures;

namespace RedisLatency.Workloads.Engine;

/// <summary>One operation of a mix as the record has it, and what all workers counted of it.</summary>
internal sealed record OperationTotals : OperationResult
{
    public required OperationCounts Counts { get; init; }
}
