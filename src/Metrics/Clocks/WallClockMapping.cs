namespace RedisLatency.Metrics.Clocks;

/// <summary>
/// Where this host's monotonic clock stood against its wall clock at one moment: enough to print a stamp as UTC.
/// It says nothing of how true the wall clock is, and does not follow it when it is set.
/// </summary>
/// <param name="SampledAtNs">When it was taken, in nanoseconds of the monotonic clock.</param>
/// <param name="OffsetNs">Unix time minus monotonic time, in nanoseconds.</param>
/// <param name="ErrorNs">
/// How far <paramref name="OffsetNs"/> may be from the truth, either way: half the time that reading the wall clock
/// took, and the 100 ns to which it is cut.
/// </param>
public readonly record struct WallClockMapping(long SampledAtNs, long OffsetNs, long ErrorNs)
{
    private const int Attempts = 16;
    private const long WallClockGranularityNs = 100;

    /// <summary>
    /// Reads the wall clock between two readings of the monotonic one, sixteen times, and keeps the quickest.
    /// </summary>
    /// <param name="time">Both clocks; the host's own by default.</param>
    public static WallClockMapping Sample(TimeProvider? time = null)
    {
        time ??= TimeProvider.System;
        var isHost = ReferenceEquals(time, TimeProvider.System);
        var narrowest = long.MaxValue;
        long sampledAtNs = 0, offsetNs = 0;
        for (var attempt = 0; attempt < Attempts; attempt++)
        {
            var before = time.GetTimestamp();
            var wall = time.GetUtcNow();
            var after = time.GetTimestamp();

            var beforeNs = MonotonicClock.ToNanoseconds(before, time.TimestampFrequency);
            var widthNs = MonotonicClock.ToNanoseconds(after, time.TimestampFrequency) - beforeNs;
            if (widthNs >= narrowest)
                continue;
            narrowest = widthNs;
            sampledAtNs = beforeNs + (widthNs / 2);
            // Whoever passes no clocks means those that stamp, and the stamping clock may be synthetic.
            if (isHost)
                sampledAtNs = MonotonicClock.FromHost(sampledAtNs);
            offsetNs = ToUnixNs(wall) - sampledAtNs;
        }

        return new WallClockMapping(sampledAtNs, offsetNs, ((narrowest + 1) / 2) + WallClockGranularityNs);
    }

    /// <summary>The Unix time, in nanoseconds, of a moment of the monotonic clock.</summary>
    public long ToUnixNs(long monotonicNs) => monotonicNs + OffsetNs;

    /// <summary>The UTC of a moment of the monotonic clock, cut to 100 ns.</summary>
    public DateTimeOffset ToUtc(long monotonicNs) =>
        DateTimeOffset.UnixEpoch + TimeSpan.FromNanoseconds(ToUnixNs(monotonicNs));

    /// <summary>The Unix time of an instant, in nanoseconds.</summary>
    public static long ToUnixNs(DateTimeOffset instant) => (instant - DateTimeOffset.UnixEpoch).InNanoseconds;
}
