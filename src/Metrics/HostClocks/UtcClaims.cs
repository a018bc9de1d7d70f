using RedisLatency.Metrics.Clocks;
using RedisLatency.Metrics.Machine;

namespace RedisLatency.Metrics.HostClocks;

/// <summary>All that this host claims of its wall clock; one thread reads it.</summary>
public sealed class UtcClaims : IDisposable
{
    private readonly Func<KernelClock> _kernel;
    private readonly ChronyTracking _chrony;
    private readonly ClockBoundSegment _clockBound;

    public UtcClaims()
        : this(KernelClock.Read, new ChronyTracking(), new ClockBoundSegment(new HostFiles()))
    {
    }

    internal UtcClaims(Func<KernelClock> kernel, ChronyTracking chrony, ClockBoundSegment clockBound) =>
        (_kernel, _chrony, _clockBound) = (kernel, chrony, clockBound);

    /// <summary>
    /// Asks every source; never throws. A chronyd that does not answer costs a fifth of a second, an absent one
    /// nothing.
    /// </summary>
    /// <returns>One claim of every <see cref="UtcClaimSource"/>, accepted or refused.</returns>
    public IReadOnlyList<UtcClaim> Read() =>
    [
        KernelClaim.Judge(_kernel(), MonotonicClock.NowNs()),
        ChronyClaim.Judge(_chrony.Ask(), MonotonicClock.NowNs(), TimeProvider.System.GetUtcNow()),
        _clockBound.Read(MonotonicClock.HostNowNs()),
    ];

    public void Dispose() => _chrony.Dispose();
}
