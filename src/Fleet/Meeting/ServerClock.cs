using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.StackExchange;

namespace RedisLatency.Fleet.Meeting;

/// <summary>
/// The control server's clock against this host's: of several questions the quickest answer, whose half round trip
/// bounds the error.
/// </summary>
/// <param name="OffsetNs">Server's Unix time minus this host's monotonic clock, in nanoseconds.</param>
/// <param name="RoundTripNs">How long the quickest answer took.</param>
internal readonly record struct ServerClock(long OffsetNs, long RoundTripNs)
{
    private const int Questions = 20;

    public long ErrorNs => (RoundTripNs / 2) + 1_000;

    public static ServerClock Ask(ControlClient control, string key)
    {
        var best = new ServerClock(0, long.MaxValue);
        for (var question = 0; question < Questions; question++)
        {
            var before = MonotonicClock.NowNs();
            var serverNs = control.TimeNs(key);
            var tookNs = MonotonicClock.NowNs() - before;
            if (tookNs < best.RoundTripNs)
                best = new(serverNs - before - (tookNs / 2), tookNs);
        }

        return best;
    }

    public long ToServerNs(long monotonicNs) => monotonicNs + OffsetNs;

    public long ToMonotonicNs(long serverNs) => serverNs - OffsetNs;
}
