using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Replication.Original;

/// <summary>The wall clock, which the original's stamps are of: nanoseconds since the Unix epoch.</summary>
internal static class WallClock
{
    /// <summary>Milliseconds in nanoseconds.</summary>
    public const long Millisecond = 1_000_000;

    /// <summary>Now, as the host's wall clock has it.</summary>
    public static long NowNs() => WallClockMapping.ToUnixNs(TimeProvider.System.GetUtcNow());
}
