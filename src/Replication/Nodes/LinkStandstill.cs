using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Nodes;

/// <summary>
/// Tells when nothing comes although something is on its way, and when it does again: a link that stands still has its
/// connections all the same. One thread.
/// </summary>
/// <param name="label">Where it does not come.</param>
/// <param name="intervalNs">
/// From one to the next as it is sent: so far apart they come, however long each takes.
/// </param>
/// <param name="events">Where to tell.</param>
internal sealed class LinkStandstill(string label, double intervalNs, SessionEvents events)
{
    /// <summary>Nothing for so long, and for two intervals, is a standstill.</summary>
    public const long LeastNs = 1_000_000_000;

    private long _sinceNs;

    /// <summary>For how long it stands still, in nanoseconds; zero where it does not.</summary>
    public long StandsForNs { get; private set; }

    /// <summary>Looks.</summary>
    /// <param name="nowNs">When.</param>
    /// <param name="sinceNs">
    /// Since when nothing has come although something was on its way; now where that is not so.
    /// </param>
    public void Look(long nowNs, long sinceNs)
    {
        var isStill = nowNs - sinceNs > LeastNs + (2 * intervalNs);
        if (isStill && StandsForNs == 0)
        {
            _sinceNs = sinceNs;
            events.Note(
                "link-stalled",
                $"{label}: nothing has come for {Quantity.Duration(nowNs - sinceNs)}, although there is something on its way");
        }
        else if (!isStill && StandsForNs > 0)
        {
            events.Note("link-resumed", $"{label}: comes again, after {Quantity.Duration(sinceNs - _sinceNs)} of nothing");
        }

        StandsForNs = isStill ? nowNs - sinceNs : 0;
    }
}
