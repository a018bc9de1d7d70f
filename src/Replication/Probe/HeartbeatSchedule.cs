namespace RedisLatency.Replication.Probe;

internal sealed class HeartbeatSchedule(long intervalNs, long count)
{
    private long _startNs;

    public long StartNs => Volatile.Read(ref _startNs);

    public long IntervalNs => intervalNs;

    public long Count => count;

    public void Begin(long startNs) => Volatile.Write(ref _startNs, startNs);

    public long DueOf(long beat) => StartNs + (beat * intervalNs);

    public long DueBy(long nowNs) => nowNs < StartNs ? 0 : Math.Min(count, ((nowNs - StartNs) / intervalNs) + 1);
}
