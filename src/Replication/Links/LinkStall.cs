using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Links;

/// <summary>Reports when nothing comes of what is on its way: a stalled link stays connected. One thread.</summary>
internal sealed class LinkStall(string label, double intervalNs, SessionEvents events)
{
    public const long LeastNs = 1_000_000_000;

    private long _sinceNs;

    public long StandsForNs { get; private set; }

    public void Check(long nowNs, long sinceNs)
    {
        var isStill = nowNs - sinceNs > LeastNs + (2 * intervalNs);
        if (isStill && StandsForNs == 0)
        {
            _sinceNs = sinceNs;
            events.Note(
                "link-stalled",
                $"{label}: nothing has come for {Quantity.Duration(nowNs - sinceNs)}, although something is due");
        }
        else if (!isStill && StandsForNs > 0)
        {
            events.Note(
                "link-resumed", $"{label}: comes again, after {Quantity.Duration(sinceNs - _sinceNs)} of nothing");
        }

        StandsForNs = isStill ? nowNs - sinceNs : 0;
    }
}
