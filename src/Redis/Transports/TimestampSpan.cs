using System.Diagnostics;

namespace RedisLatency.Redis.Transports;

/// <summary>Arithmetic between durations and <see cref="Stopwatch"/> timestamps.</summary>
internal static class TimestampSpan
{
    public static long FromNow(TimeSpan duration) => Stopwatch.GetTimestamp() + FromDuration(duration);

    public static long FromDuration(TimeSpan duration) =>
        (long)(duration.Ticks * ((double)Stopwatch.Frequency / TimeSpan.TicksPerSecond));

    public static long ToNanoseconds(long ticks) =>
        Stopwatch.Frequency == 1_000_000_000 ? ticks : (long)(ticks * (1e9 / Stopwatch.Frequency));
}
