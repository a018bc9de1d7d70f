using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace RedisLatency.Redis;

/// <summary>Arithmetic between durations, nanoseconds and <see cref="Stopwatch"/> timestamps.</summary>
public static class TimestampSpan
{
    private const long NanosecondsPerSecond = 1_000_000_000;

    /// <summary>The host's monotonic clock in nanoseconds, whatever clock a measurement pretends.</summary>
    public static long NowNs() => ToNanoseconds(Stopwatch.GetTimestamp());

    /// <summary>The timestamp at which so long will have passed.</summary>
    public static long FromNow(TimeSpan duration) => Stopwatch.GetTimestamp() + FromDuration(duration);

    /// <summary>The ticks that last so long.</summary>
    public static long FromDuration(TimeSpan duration) =>
        (long)(duration.Ticks * ((double)Stopwatch.Frequency / TimeSpan.TicksPerSecond));

    /// <summary>The nanoseconds that so many ticks last.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long ToNanoseconds(long ticks) => Stopwatch.Frequency == NanosecondsPerSecond
        ? ticks
        : (long)((Int128)ticks * NanosecondsPerSecond / Stopwatch.Frequency);
}
