using System.Runtime.InteropServices;

namespace RedisLatency.Workloads.Engine;

/// <summary>The processor time of the calling thread (CLOCK_THREAD_CPUTIME_ID); on Linux alone.</summary>
internal static partial class ThreadProcessorTime
{
    private const int ClockThread = 3;

    public static bool IsKnown { get; } = OperatingSystem.IsLinux() && Environment.Is64BitProcess
        && ClockGetTime(ClockThread, out _) == 0;

    public static long NowNs() =>
        IsKnown && ClockGetTime(ClockThread, out var time) == 0
            ? (time.Seconds * 1_000_000_000) + time.Nanoseconds
            : 0;

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int ClockGetTime(int clock, out TimeSpecification time);

    private struct TimeSpecification
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
