using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.HostClocks;

/// <summary>
/// The clocks beside the one that stamps, on 64-bit Linux: CLOCK_MONOTONIC_RAW, which nobody slews, and
/// CLOCK_BOOTTIME, which does not stand still while the host sleeps. They show the slews and suspensions of a synthetic
/// clock, and nothing else of it.
/// </summary>
internal static class SystemClocks
{
    private const int Monotonic = 1;
    private const int MonotonicRaw = 4;
    private const int BootTime = 7;
    private const int Attempts = 16;

    /// <summary>The quickest of sixteen, each between two monotonic readings; null without such clocks.</summary>
    public static SystemClockSample? Sample()
    {
        if (!OperatingSystem.IsLinux() || !Environment.Is64BitProcess)
            return null;
        var raw = Sandwich(MonotonicRaw);
        var boot = Sandwich(BootTime);
        return raw is null || boot is null
            ? null
            : new SystemClockSample(
                raw.Value.AtNs + (SyntheticClock.OfProcess?.SlewedNs(raw.Value.AtNs) ?? 0),
                raw.Value.OtherNs,
                raw.Value.ErrorNs,
                boot.Value.OtherNs - boot.Value.AtNs + (SyntheticClock.OfProcess?.SuspendedNs(boot.Value.AtNs) ?? 0));
    }

    private static (long AtNs, long OtherNs, long ErrorNs)? Sandwich(int clock)
    {
        var narrowest = long.MaxValue;
        (long AtNs, long OtherNs, long ErrorNs) best = default;
        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            if (!Pacer.TryRead(Monotonic, out var before)
                || !Pacer.TryRead(clock, out var other)
                || !Pacer.TryRead(Monotonic, out var after))
            {
                return null;
            }

            if (after - before >= narrowest)
                continue;
            narrowest = after - before;
            best = (before + (narrowest / 2), other, (narrowest + 1) / 2);
        }

        return best;
    }
}

/// <summary>The clocks of a host at one moment.</summary>
/// <param name="MonotonicNs">Its monotonic clock; of a synthetic one what is slewed, and no more.</param>
/// <param name="RawNs">The crystal's clock, which nobody slews.</param>
/// <param name="ErrorNs">How far the two readings may lie apart in time, either way.</param>
/// <param name="AsleepNs">
/// The clock that runs while the host sleeps, minus the monotonic one. Only its changes mean anything: a time namespace
/// shifts each clock by another amount.
/// </param>
internal readonly record struct SystemClockSample(long MonotonicNs, long RawNs, long ErrorNs, long AsleepNs)
{
    /// <summary>How much faster than the crystal the monotonic clock ran since an earlier sample, in ppm.</summary>
    public double RatePpmSince(SystemClockSample earlier)
    {
        var raw = RawNs - earlier.RawNs;
        return (MonotonicNs - earlier.MonotonicNs - raw) * 1e6 / raw;
    }

    public double RateErrorPpmSince(SystemClockSample earlier) =>
        (ErrorNs + earlier.ErrorNs) * 1e6 / (RawNs - earlier.RawNs);
}
