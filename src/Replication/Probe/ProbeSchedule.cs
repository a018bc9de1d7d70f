namespace RedisLatency.Replication.Probe;

internal sealed class ProbeSchedule(double intervalNs, long count)
{
    private long _startNs;

    public long StartNs => Volatile.Read(ref _startNs);

    public double IntervalNs => intervalNs;

    public long Count => count;

    public void Begin(long startNs) => Volatile.Write(ref _startNs, startNs);

    public long DueOf(long number) => StartNs + (long)(number * intervalNs);

    public long DueBy(long nowNs) =>
        nowNs < StartNs ? 0 : Math.Min(count, (long)((nowNs - StartNs) / intervalNs) + 1);
}
