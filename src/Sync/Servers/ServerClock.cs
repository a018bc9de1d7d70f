using RedisLatency.Metrics.Clocks;
using RedisLatency.Sync.Filters;

namespace RedisLatency.Sync.Servers;

// A server's clock as it goes on from a moment at which it was read: keys expire by it, and not by this machine's,
// which
// may be wrong or be set.
internal sealed class ServerClock(long readMs, long atMonotonicMs)
{
    private readonly long _aheadMs = readMs - atMonotonicMs;

    public static long MonotonicMs => MonotonicClock.NowNs() / 1_000_000;

    public static ServerClock OfThisMachine => new(UnixTime.NowMs(), MonotonicMs);

    public long NowMs => _aheadMs + MonotonicMs;

    // When it comes to a time, by the monotonic clock of this machine; never 0.
    public long ToMonotonicMs(long ms) => Math.Max(ms - _aheadMs, 1);
}
