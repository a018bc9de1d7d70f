namespace RedisLatency.Replication.Heartbeat;

/// <summary>When heartbeats are due: absolute, whatever became of the ones before.</summary>
/// <param name="intervalNs">From one to the next.</param>
/// <param name="count">How many there are.</param>
internal sealed class BeatSchedule(long intervalNs, long count)
{
    private long _startNs;

    /// <summary>When the first one is due, in nanoseconds of the monotonic clock; zero before it is known.</summary>
    public long StartNs => Volatile.Read(ref _startNs);

    /// <summary>From one to the next, in nanoseconds.</summary>
    public long IntervalNs => intervalNs;

    /// <summary>How many there are.</summary>
    public long Count => count;

    /// <summary>Settles when the first one is due.</summary>
    public void Begin(long startNs) => Volatile.Write(ref _startNs, startNs);

    /// <summary>When one of them is due.</summary>
    public long DueOf(long beat) => StartNs + (beat * intervalNs);

    /// <summary>How many are due by then.</summary>
    public long DueBy(long nowNs) => nowNs < StartNs ? 0 : Math.Min(count, ((nowNs - StartNs) / intervalNs) + 1);
}
