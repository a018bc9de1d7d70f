using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.Machine;

/// <summary>
/// Follows this process's garbage collections from when it was made. <see cref="Poll"/> allocates nothing; called
/// once per interval it also finds the longest pause. One thread uses it.
/// </summary>
public sealed class GcPauseWatch
{
    private GcReading _last = GcReading.Take();

    /// <summary>Everything up to the last look.</summary>
    public GcPauses Total { get; private set; } = new(0, 0, 0, 0, 0, LongestIsExact: true);

    /// <summary>What happened since the last look.</summary>
    public GcPauses Poll()
    {
        var now = GcReading.Take();
        var pauses = now.Since(_last);
        _last = now;
        Total = Total.Followed(pauses);
        return pauses;
    }
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
