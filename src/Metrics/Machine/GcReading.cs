using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.Machine;

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
