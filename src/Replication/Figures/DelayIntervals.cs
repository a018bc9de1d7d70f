using Microsoft.Extensions.Logging;
using RedisLatency.Hosting.Live;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Figures;

/// <summary>What is measured of keys that are written and read here.</summary>
internal sealed class DelayIntervals
{
    private readonly KeySession _session;
    private readonly EventTeller _events;

    public DelayIntervals(KeySession session, LinkWatch watch, ILogger logger)
    {
        (_session, _events) = (session, new EventTeller(session.Events, logger));
        Lateness = session.Writing.NewLateness();
        var uncertainty = session.Destinations.Count == 1
            ? session.Destinations[0].Uncertainty
            : new(DelayMetrics.Uncertainty, [.. session.Destinations.Select(one => one.Uncertainty)]);
        Metrics = DelayMetrics.Of(
            session.Tally, () => session.Counts, errorNs: null, [uncertainty, Lateness, .. watch.Series]);
        Metrics.Add(DelayMetrics.InFlight, () => session.Readings.Sum(reading => reading.Reader.Pending));
        // In the order of the record's summaries.
        foreach (var one in session.Destinations.Where(_ => session.Destinations.Count > 1))
            Metrics.Add(one.Metrics);
        foreach (var one in session.Readings.Where(reading => reading.Way.Shard is not null))
            Metrics.Add(one.Metrics);
    }

    public MetricSet Metrics { get; }
    public MetricSeries Lateness { get; }

    public void End(in TakenInterval interval, ref LiveSnapshot snapshot)
    {
        _events.Tell();
        _session.Writing.Describe(ref snapshot);
        // As in the result, a key counts once for each destination; the schedule is of keys.
        snapshot.AchievedRate /= _session.Destinations.Count;
    }
}
