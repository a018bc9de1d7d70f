using System.Diagnostics;

namespace RedisLatency.Redis.Transports;

/// <summary>Arithmetic between durations and <see cref="Stopwatch"/> timestamps.</summary>
internal static class TimestampSpan
{
    /// <summary>The timestamp that lies a duration after now.</summary>
    public static long FromNow(TimeSpan duration) => Stopwatch.GetTimestamp() + FromDuration(duration);

    /// <summary>A duration in ticks of the stopwatch.</summary>
    public static long FromDuration(TimeSpan duration) =>
        (long)(duration.Ticks * ((double)Stopwatch.Frequency / TimeSpan.TicksPerSecond));

    /// <summary>Ticks of the stopwatch in nanoseconds.</summary>
    public static long ToNanoseconds(long ticks) =>
        Stopwatch.Frequency == 1_000_000_000 ? ticks : (long)(ticks * (1e9 / Stopwatch.Frequency));
}
