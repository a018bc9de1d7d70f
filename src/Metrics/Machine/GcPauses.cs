namespace RedisLatency.Metrics.Machine;

/// <summary>What garbage collection did to this process over some time.</summary>
/// <param name="Generation0">Collections of generation 0 alone.</param>
/// <param name="Generation1">Collections up to generation 1.</param>
/// <param name="Generation2">Full collections.</param>
/// <param name="TotalPauseNs">How long all threads stood still, in nanoseconds.</param>
/// <param name="LongestPauseNs">The longest time they stood still for one collection, in nanoseconds, or more.</param>
/// <param name="LongestIsExact">
/// False where several collections fell between two looks, of which <paramref name="LongestPauseNs"/> is the sum.
/// </param>
public readonly record struct GcPauses(
    long Generation0, long Generation1, long Generation2, long TotalPauseNs, long LongestPauseNs, bool LongestIsExact)
{
    /// <summary>All collections.</summary>
    public long Collections => Generation0 + Generation1 + Generation2;

    internal GcPauses Followed(GcPauses next) => new(
        Generation0 + next.Generation0,
        Generation1 + next.Generation1,
        Generation2 + next.Generation2,
        TotalPauseNs + next.TotalPauseNs,
        Math.Max(LongestPauseNs, next.LongestPauseNs),
        next.LongestPauseNs > LongestPauseNs ? next.LongestIsExact : LongestIsExact);
}
