using System.Diagnostics.Metrics;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Replication.Delay.Ends;
using RedisLatency.Replication.Heartbeat.Alerts;
using RedisLatency.Replication.Heartbeat.Beats;
using RedisLatency.Replication.Heartbeat.Windows;

namespace RedisLatency.Replication.Heartbeat.Reporting;

/// <summary>What heartbeats tell as metrics, whoever listens.</summary>
internal sealed class HeartbeatInstruments : IDisposable
{
    private readonly string _source;
    private readonly string _destination;
    private readonly Histogram<double> _delay;

    /// <summary>Makes the meter; what is asked for is there after <see cref="Watch"/>.</summary>
    /// <param name="source">The source's label.</param>
    /// <param name="destination">The destination's.</param>
    public HeartbeatInstruments(string source, string destination)
    {
        (_source, _destination) = (source, destination);
        _delay = Meter.CreateHistogram(
            "redislatency.replication.delay", "s",
            "From when a heartbeat was sent to when it was at the destination, the middle between two looks.",
            tags: null, DurationBuckets.Advice);
    }

    /// <summary>The meter of all of them.</summary>
    public Meter Meter { get; } = new("RedisLatency.Replication", ProgramVersion.Text);

    /// <summary>Tells the delay of a heartbeat.</summary>
    public void Found(KeyWay way, long delayNs) => _delay.Record(delayNs / 1e9, TagsOf(way));

    /// <summary>Adds what is asked for whenever somebody looks.</summary>
    public void Watch(HeartbeatSession session, AlertBoard alerts, HeartbeatEvents events)
    {
        Meter.CreateObservableGauge(
            "redislatency.replication.heartbeat.age",
            () => session.Ways.Select(way => new Measurement<double>(way.Tally.Look().AgeNs / 1e9, TagsOf(way.Way))),
            "s", "How long ago the newest heartbeat that was seen at the destination had been sent.");
        Meter.CreateObservableCounter(
            "redislatency.replication.heartbeats",
            () => session.Ways.SelectMany(OutcomesOf),
            "{heartbeat}", "Heartbeats by what became of them.");
        Meter.CreateObservableGauge(
            "redislatency.replication.alert",
            () => alerts.States.Select(state => new Measurement<int>(
                state.IsRaised ? 1 : 0, [.. TagsOf(null), new("threshold", state.Threshold.Text)])),
            description: "1 while the threshold does not hold, 0 while it does.");
        Meter.CreateObservableCounter(
            "redislatency.replication.events",
            () => events.Counts.Select(kind => new Measurement<long>(
                kind.Value, [.. TagsOf(null), new("kind", kind.Key)])),
            "{event}", "What happened to the ends, their connections and the thresholds.");
    }

    /// <inheritdoc/>
    public void Dispose() => Meter.Dispose();

    private IEnumerable<Measurement<long>> OutcomesOf(BeatWay way)
    {
        var counts = way.Tally.Look();
        return
        [
            Of("seen", counts.Seen), Of("skipped", counts.Skipped), Of("refused", counts.Refused),
            Of("unsent", counts.Unsent),
        ];

        Measurement<long> Of(string outcome, long count) => new(count, [.. TagsOf(way.Way), new("outcome", outcome)]);
    }

    private KeyValuePair<string, object?>[] TagsOf(KeyWay? way) =>
        [new("source", _source), new("destination", _destination), new("shard", way?.Shard)];
}
