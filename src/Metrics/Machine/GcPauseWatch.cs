namespace RedisLatency.Metrics.Machine;

/// <summary>
/// Follows this process's garbage collections from when it was made. <see cref="Look"/> allocates nothing; called
/// once per interval it also finds the longest pause. One thread uses it.
/// </summary>
public sealed class GcPauseWatch
{
    private (int Generation0, int Generation1, int Generation2, TimeSpan Pause) _last = Read();

    /// <summary>Everything up to the last look.</summary>
    public GcPauses Total { get; private set; } = new(0, 0, 0, 0, 0, LongestIsExact: true);

    /// <summary>What happened since the last look.</summary>
    public GcPauses Look()
    {
        var now = Read();
        // A count of the runtime includes the collections of older generations.
        var generation2 = now.Generation2 - _last.Generation2;
        var generation1 = now.Generation1 - _last.Generation1 - generation2;
        var generation0 = now.Generation0 - _last.Generation0 - generation1 - generation2;
        var pauseNs = (now.Pause - _last.Pause).Ticks * TimeSpan.NanosecondsPerTick;
        var pauses = new GcPauses(
            generation0, generation1, generation2, pauseNs, pauseNs, generation0 + generation1 + generation2 <= 1);
        _last = now;
        Total = Total.Followed(pauses);
        return pauses;
    }

    private static (int Generation0, int Generation1, int Generation2, TimeSpan Pause) Read() =>
        (GC.CollectionCount(0), GC.CollectionCount(1), GC.CollectionCount(2), GC.GetTotalPauseDuration());
}
