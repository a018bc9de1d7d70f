using System.Diagnostics;

namespace RedisLatency.Server.Delays;

/// <summary>The host's monotonic clock: the truth is told in it, whatever clock the programs around pretend.</summary>
internal static class LinkClock
{
    private const long NanosecondsPerSecond = 1_000_000_000;

    public static long NowNs() => Stopwatch.Frequency == NanosecondsPerSecond
        ? Stopwatch.GetTimestamp()
        : (long)((Int128)Stopwatch.GetTimestamp() * NanosecondsPerSecond / Stopwatch.Frequency);

    public static long Nanoseconds(TimeSpan span) => span.Ticks * (NanosecondsPerSecond / TimeSpan.TicksPerSecond);
}
