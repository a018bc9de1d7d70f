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
