using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace RedisLatency.Metrics.Clocks;

/// <summary>
/// The clock every stamp of a measurement is taken from: nanoseconds that never step back, from a start that only
/// this host knows (on Linux CLOCK_MONOTONIC, which two processes of one boot and one time namespace share). Only a
/// <see cref="SyntheticClock"/>, asked for by the environment to test the suite itself, may step back.
/// </summary>
public static class MonotonicClock
{
    private const long NanosecondsPerSecond = 1_000_000_000;

    // Zero where a tick is no whole number of nanoseconds. A static readonly is a constant to the optimising
    // compiler, which drops the branches: on Linux nothing but the read itself remains.
    private static readonly long NanosecondsPerTick =
        NanosecondsPerSecond % Stopwatch.Frequency == 0 ? NanosecondsPerSecond / Stopwatch.Frequency : 0;

    internal static readonly SyntheticClockSetting Setting = SyntheticClockSetting.Read(
        Environment.GetEnvironmentVariable(SyntheticClock.Variable), HostNowNs());

    private static readonly SyntheticClock? Synthetic = Setting.Clock;
    private static readonly bool HasSynthetic = Synthetic is not null;

    /// <summary>Whether the environment put a wrong clock in place of the host's; such a run is never valid.</summary>
    public static bool IsSynthetic => HasSynthetic;

    /// <summary>Now, in nanoseconds.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long NowNs() => FromTimestamp(Stopwatch.GetTimestamp());

    /// <summary>The nanoseconds of a reading of <see cref="Stopwatch.GetTimestamp"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long FromTimestamp(long stopwatchTimestamp) =>
        HasSynthetic ? FromHost(HostFromTimestamp(stopwatchTimestamp)) : HostFromTimestamp(stopwatchTimestamp);

    /// <summary>The first reading of <see cref="Stopwatch.GetTimestamp"/> that is not before that moment.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long ToTimestamp(long ns)
    {
        if (HasSynthetic)
            ns = ToHost(ns);
        return NanosecondsPerTick == 1 ? ns : ToTicks(ns, Stopwatch.Frequency);
    }

    /// <summary>Now by the host's clock, whatever clock stamps.</summary>
    internal static long HostNowNs() => HostFromTimestamp(Stopwatch.GetTimestamp());

    /// <summary>When the host's clock comes to that moment of this clock.</summary>
    internal static long ToHost(long ns) => Synthetic is null ? ns : Synthetic.ToHost(ns);

    internal static long FromHost(long hostNs) => Synthetic is null ? hostNs : Synthetic.FromHost(hostNs);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static long HostFromTimestamp(long stopwatchTimestamp)
    {
        if (NanosecondsPerTick == 1)
            return stopwatchTimestamp;
        return NanosecondsPerTick != 0
            ? stopwatchTimestamp * NanosecondsPerTick
            : ToNanoseconds(stopwatchTimestamp, Stopwatch.Frequency);
    }

    /// <summary>Whole nanoseconds of a count of ticks, rounded down.</summary>
    internal static long ToNanoseconds(long ticks, long frequency) =>
        (long)((Int128)ticks * NanosecondsPerSecond / frequency);

    /// <summary>The fewest ticks that last at least so many nanoseconds.</summary>
    internal static long ToTicks(long ns, long frequency)
    {
        var product = (Int128)ns * frequency;
        var ticks = (long)(product / NanosecondsPerSecond);
        return product % NanosecondsPerSecond > 0 ? ticks + 1 : ticks;
    }
}

/// <summary>Between .NET's times, which count in 100 ns, and the nanoseconds in which all is measured here.</summary>
public static class NanosecondTimes
{
    extension(TimeSpan duration)
    {
        /// <summary>The whole of it, in nanoseconds: exact.</summary>
        public long InNanoseconds => duration.Ticks * TimeSpan.NanosecondsPerTick;

        /// <summary>The time that so many nanoseconds are, without the last of them that do not fill 100.</summary>
        public static TimeSpan FromNanoseconds(long nanoseconds) => new(nanoseconds / TimeSpan.NanosecondsPerTick);
    }
}
