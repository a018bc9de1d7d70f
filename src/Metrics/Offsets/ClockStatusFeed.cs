using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Regimes;

namespace RedisLatency.Metrics.Offsets;

/// <summary>
/// Hands to a tracker what both hosts say of their clocks: rates, suspensions, and until when there was none. One
/// thread.
/// </summary>
public sealed class ClockStatusFeed(OffsetTracker tracker)
{
    // Reading the clocks one after the other, and what the clocks part in the second that a status is old at most.
    private const long SlackNs = 1_000_000;

    private ClockStatus? _local;
    private ClockStatus? _peer;
    private long _peerFromNs;

    /// <summary>What the peer said last; null before.</summary>
    public ClockStatus? Peer => _peer;

    /// <summary>What the host of A, whose times count, says.</summary>
    public void HearLocal(in ClockStatus status)
    {
        if (_local is { } before && status.SuspendedNs > before.SuspendedNs)
            tracker.AnnounceSuspension(before.SampledAtNs - SlackNs, status.SampledAtNs + SlackNs);
        tracker.SetAwake(ClockSide.Producer, status.SampledAtNs - SlackNs);
        tracker.SetRate(ClockSide.Producer, status.SampledAtNs, status.RatePpm);
        _local = status;
    }

    /// <summary>What the host of B says, with the probe whose answer brought it.</summary>
    public void HearPeer(in ClockProbe probe, in ClockStatus status)
    {
        if (_peer is { } before && status.SampledAtNs == before.SampledAtNs)
            return;

        // It was sampled so long before B had the probe, or sent it back, by B's clock.
        var fromNs = probe.SentNs - AgeOf(status, probe.ReceivedNs) - SlackNs;
        var toNs = Math.Max(fromNs, probe.ReturnedNs - AgeOf(status, probe.EchoedNs) + SlackNs);
        if (_peer is { } last)
        {
            // A host that slept between a status and the probe that brought it was at that status earlier than it says,
            // which the next status tells.
            var sleptNs = status.SuspendedNs - last.SuspendedNs;
            var lastNs = Math.Min(_peerFromNs - Math.Clamp(sleptNs, 0, LongestAgeNs), toNs);
            if (sleptNs > 0)
                tracker.AnnounceSuspension(lastNs, toNs);
            tracker.SetAwake(ClockSide.Consumer, lastNs);
        }

        tracker.SetRate(ClockSide.Consumer, probe.ReturnedNs, status.RatePpm);
        (_peer, _peerFromNs) = (status, fromNs);
    }

    // A peer may say what it likes.
    private static long AgeOf(in ClockStatus status, long atNs) =>
        (long)Int128.Clamp((Int128)atNs - status.SampledAtNs, 0, LongestAgeNs);

    private const long LongestAgeNs = 60_000_000_000;
}
