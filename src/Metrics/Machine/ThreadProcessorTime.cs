using System.Runtime.InteropServices;

namespace RedisLatency.Metrics.Machine;

/// <summary>The processor time of threads of this process, in nanoseconds; on Linux alone.</summary>
public static partial class ThreadProcessorTime
{
    private const int ClockThread = 3;

    /// <summary>Whether the system tells it; where not, all times are 0.</summary>
    public static bool IsKnown { get; } = OperatingSystem.IsLinux() && Environment.Is64BitProcess
        && ClockGetTime(ClockThread, out _) == 0;

    /// <summary>The calling thread's clock, which any thread may read as long as that one lives.</summary>
    /// <remarks>As clock_getcpuclockid(3) makes them: the number's complement, and the kind in the last three
    /// bits.</remarks>
    public static int OwnClock => IsKnown ? (~GetThreadId() << 3) | 0b110 : 0;

    /// <summary>The calling thread's (CLOCK_THREAD_CPUTIME_ID).</summary>
    public static long NowNs() => NowNs(ClockThread);

    /// <summary>That of <see cref="OwnClock"/>, as another thread reads it; 0 where it has ended.</summary>
    public static long NowNs(int clock) =>
        IsKnown && ClockGetTime(clock, out var time) == 0
            ? (time.Seconds * 1_000_000_000) + time.Nanoseconds
            : 0;

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int ClockGetTime(int clock, out TimeSpecification time);

    [LibraryImport("libc", EntryPoint = "gettid")]
    private static partial int GetThreadId();

    private struct TimeSpecification
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
