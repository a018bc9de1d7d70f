using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Sync.Pipeline;

/// <summary>Says how long to wait before so many entries, to keep to a rate; zero is as fast as it goes.</summary>
internal sealed class RatePacer(double perSecond)
{
    // So much earlier or later than they are due, as a thread does not wake to the microsecond.
    private const long BurstNs = 5_000_000;

    // All shards ask the same one: what some leave, others may take.
    private readonly Lock _gate = new();
    private long _dueNs;

    public TimeSpan Take(int entries)
    {
        if (perSecond <= 0)
            return TimeSpan.Zero;
        lock (_gate)
        {
            var now = MonotonicClock.NowNs();
            _dueNs = Math.Max(_dueNs, now - BurstNs) + (long)(entries * 1e9 / perSecond);
            return _dueNs > now + BurstNs ? TimeSpan.FromNanoseconds(_dueNs - now) : TimeSpan.Zero;
        }
    }
}
