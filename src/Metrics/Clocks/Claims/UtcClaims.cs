using RedisLatency.Metrics.Machine;

namespace RedisLatency.Metrics.Clocks.Claims;

/// <summary>All that this host claims of its wall clock.</summary>
public static class UtcClaims
{
    /// <summary>
    /// Asks every source; never throws. A chronyd that does not answer costs a fifth of a second, an absent one
    /// nothing.
    /// </summary>
    /// <returns>One claim of every <see cref="UtcClaimSource"/>, accepted or refused.</returns>
    public static IReadOnlyList<UtcClaim> Read() => Read(
        KernelClock.Read, new ChronyTracking(), new ClockBoundSegment(new HostFiles()), TimeProvider.System);

    internal static IReadOnlyList<UtcClaim> Read(
        Func<KernelClock> kernel, ChronyTracking chrony, ClockBoundSegment clockBound, TimeProvider time) =>
    [
        KernelClaim.Judge(kernel(), MonotonicClock.NowNs()),
        ChronyClaim.Judge(chrony.Ask(), MonotonicClock.NowNs(), time.GetUtcNow()),
        clockBound.Read(MonotonicClock.HostNowNs()),
    ];
}
