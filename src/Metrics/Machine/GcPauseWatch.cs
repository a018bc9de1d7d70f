using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.Machine;

/// <summary>
/// Follows this process's garbage collections from when it was made. <see cref="Look"/> allocates nothing; called
/// once per interval it also finds the longest pause. One thread uses it.
/// </summary>
public sealed class GcPauseWatch
{
    private GcReading _last = GcReading.Take();

    /// <summary>Everything up to the last look.</summary>
    public GcPauses Total { get; private set; } = new(0, 0, 0, 0, 0, LongestIsExact: true);

    /// <summary>What happened since the last look.</summary>
    public GcPauses Look()
    {
        var now = GcReading.Take();
        var pauses = now.Since(_last);
        _last = now;
        Total = Total.Followed(pauses);
        return pauses;
    }
}

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

/// <summary>The runtime's counters of collections; a count includes those of older generations.</summary>
internal readonly record struct GcReading(int Generation0, int Generation1, int Generation2, TimeSpan Pause)
{
    public static GcReading Take() =>
        new(GC.CollectionCount(0), GC.CollectionCount(1), GC.CollectionCount(2), GC.GetTotalPauseDuration());

    public GcPauses Since(GcReading earlier)
    {
        var collections = Generation0 - earlier.Generation0;
        var notGeneration0 = Generation1 - earlier.Generation1;
        var generation2 = Generation2 - earlier.Generation2;
        var pauseNs = (Pause - earlier.Pause).InNanoseconds;
        return new GcPauses(
            collections - notGeneration0,
            notGeneration0 - generation2,
            generation2,
            pauseNs,
            pauseNs,
            LongestIsExact: collections <= 1);
    }
}
