namespace RedisLatency.Metrics.HostClocks;

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
