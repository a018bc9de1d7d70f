using RedisLatency.Reports.Figures;

namespace RedisLatency.Workloads.Engine;

/// <summary>One operation of a mix as the record has it, and what all workers counted of it.</summary>
internal sealed record OperationTotals : OperationResult
{
    public required OperationCounts Counts { get; init; }

    /// <summary>What was counted since.</summary>
    public OperationTotals Since(OperationTotals before) => this with
    {
        Counts = Counts.Since(before.Counts),
        ErrorReplies = CountsSince(ErrorReplies, before.ErrorReplies),
    };

    /// <summary>Counts by their names since; those that did not change are left out.</summary>
    public static IReadOnlyDictionary<string, long> CountsSince(
        IReadOnlyDictionary<string, long> now, IReadOnlyDictionary<string, long> before) => now
        .Select(one => (one.Key, Count: one.Value - before.GetValueOrDefault(one.Key)))
        .Where(one => one.Count > 0)
        .ToDictionary(one => one.Key, one => one.Count);
}
