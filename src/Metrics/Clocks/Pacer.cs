using System.Runtime.InteropServices;

namespace RedisLatency.Metrics.Clocks;

/// <summary>
/// Waits on the calling thread until a moment of <see cref="MonotonicClock"/>, never less. On 64-bit Linux the kernel
/// waits for that very moment (clock_nanosleep, TIMER_ABSTIME), so a thread that was preempted on its way loses
/// nothing; elsewhere a timed wait of whole milliseconds is repeated until it has come.
/// </summary>
public static partial class Pacer
{
    /// <summary>How long a loop waits at most before it looks whether it shall end.</summary>
    public const long LongestNapNs = 50_000_000;

    private const int ClockMonotonic = 1;
    private const int TimerAbsoluteTime = 1;
    private const int Interrupted = 4;
    private const int SetTimerSlack = 29;
    private const long NanosecondsPerSecond = 1_000_000_000;
    private const long NanosecondsPerMillisecond = 1_000_000;

    [ThreadStatic]
    private static ManualResetEvent? _never;

    /// <summary>Whether the kernel's own absolute wait is used; REDISLATENCY_PORTABLE=1 forbids it.</summary>
    public static bool IsNative { get; } = OperatingSystem.IsLinux() && Environment.Is64BitProcess
        && Environment.GetEnvironmentVariable("REDISLATENCY_PORTABLE") is not "1";

    /// <summary>Waits until the moment has come; returns at once where it is past.</summary>
    public static void WaitUntil(long dueNs)
    {
        var hostDueNs = MonotonicClock.ToHost(dueNs);
        // The host's clock is never negative, and the portable wait's difference would overflow.
        if (hostDueNs <= 0)
            return;
        if (IsNative && KernelHasOurClock())
            WaitByKernel(hostDueNs);
        else
            WaitByMilliseconds(hostDueNs);
    }

    /// <summary>Waits until the moment has come, or until it shall end, which it notices soon.</summary>
    /// <returns>Whether it shall go on.</returns>
    public static bool TryWaitUntil(long dueNs, CancellationToken end)
    {
        while (dueNs - MonotonicClock.NowNs() > LongestNapNs && !end.IsCancellationRequested)
            WaitUntil(MonotonicClock.NowNs() + LongestNapNs);
        if (!end.IsCancellationRequested)
            WaitUntil(dueNs);
        return !end.IsCancellationRequested;
    }

    /// <summary>Reads the clock until the moment has come.</summary>
    /// <returns>The last reading.</returns>
    public static long SpinUntil(long dueNs)
    {
        long now;
        while ((now = MonotonicClock.NowNs()) < dueNs)
        {
        }

        return now;
    }

    /// <summary>
    /// Asks the kernel to wake the calling thread on the dot, not up to 50 µs later to save power; without effect
    /// where there is no such thing to ask for.
    /// </summary>
    public static void WakePrecisely()
    {
        if (IsNative)
            _ = ProcessControl(SetTimerSlack, 1, 0, 0, 0);
    }

    /// <summary>Reads one of the kernel's clocks (clock_gettime), by its number on Linux.</summary>
    internal static bool TryRead(int clock, out long ns)
    {
        var succeeded = ClockGetTime(clock, out var time) == 0;
        ns = (time.Seconds * NanosecondsPerSecond) + time.Nanoseconds;
        return succeeded;
    }

    internal static void WaitByMilliseconds(long hostDueNs)
    {
        var never = _never ??= new ManualResetEvent(false);
        for (long rest; (rest = hostDueNs - MonotonicClock.HostNowNs()) > 0;)
        {
            // Rounded up: a wait of zero would spin.
            var milliseconds = Math.Min(((rest - 1) / NanosecondsPerMillisecond) + 1, int.MaxValue);
            never.WaitOne((int)milliseconds);
        }
    }

    // A library that is loaded before libc (libfaketime) may answer for the clock that is read, and not for the one
    // that the kernel waits by: a moment of the one may then be hours away by the other.
    private static bool KernelHasOurClock()
    {
        var before = MonotonicClock.HostNowNs();
        return TryRead(ClockMonotonic, out var kernelNs)
            && before <= kernelNs && kernelNs <= MonotonicClock.HostNowNs();
    }

    private static void WaitByKernel(long hostDueNs)
    {
        var due = new TimeSpecification
        {
            Seconds = hostDueNs / NanosecondsPerSecond,
            Nanoseconds = hostDueNs % NanosecondsPerSecond,
        };
        var error = ClockNanosleep(ClockMonotonic, TimerAbsoluteTime, in due, 0);
        while (error == Interrupted)
            error = ClockNanosleep(ClockMonotonic, TimerAbsoluteTime, in due, 0);
        // A sandbox may forbid the call.
        if (error != 0)
            WaitByMilliseconds(hostDueNs);
    }

    [LibraryImport("libc", EntryPoint = "clock_nanosleep")]
    private static partial int ClockNanosleep(int clock, int flags, in TimeSpecification due, nint remaining);

    [LibraryImport("libc", EntryPoint = "clock_gettime")]
    private static partial int ClockGetTime(int clock, out TimeSpecification now);

    [LibraryImport("libc", EntryPoint = "prctl")]
    private static partial int ProcessControl(int option, nuint first, nuint second, nuint third, nuint fourth);

    private struct TimeSpecification
    {
        public long Seconds;
        public long Nanoseconds;
    }
}
