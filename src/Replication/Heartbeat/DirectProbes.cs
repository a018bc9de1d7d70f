using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Probes;
using RedisLatency.Replication.Sides;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Replication.Heartbeat;

/// <summary>What clock probes took from the writer's host to this one, without keeping them. One thread.</summary>
internal sealed class DirectProbes
{
    private readonly Queue<ClockProbe> _unsettled = new();
    private long _count;
    private double _sumNs;
    private long _leastNs = long.MaxValue;

    /// <summary>Hears of an answer.</summary>
    /// <param name="probe">Its four stamps.</param>
    /// <param name="isDirect">Whether it came from host to host, without any Redis.</param>
    public void Hear(ClockProbe probe, bool isDirect)
    {
        if (isDirect)
            _unsettled.Enqueue(probe);
    }

    /// <summary>Corrects those that came until then.</summary>
    public void Settle(IWriterTime clock, long untilNs)
    {
        while (_unsettled.TryPeek(out var probe) && probe.ReturnedNs <= untilNs)
        {
            _unsettled.Dequeue();
            if (!clock.TryConvert(probe.ReturnedNs, out var arrived, out _))
                continue;
            _count++;
            _sumNs += arrived - probe.EchoedNs;
            _leastNs = Math.Min(_leastNs, arrived - probe.EchoedNs);
        }
    }

    /// <summary>Beside the delays that were measured; null where there are none of either.</summary>
    public DirectWay? Beside(LatencyHistogram delays) => _count == 0 || delays.TotalCount == 0
        ? null
        : new DirectWay(_count, _sumNs / _count, _leastNs, delays.Mean - (_sumNs / _count), delays.Min - _leastNs);
}
