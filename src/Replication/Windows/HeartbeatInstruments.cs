using System.Diagnostics.Metrics;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Replication.Heartbeat;

namespace RedisLatency.Replication.Windows;

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
    public void Found(string? shard, long delayNs) => _delay.Record(delayNs / 1e9, TagsOf(shard));

    /// <summary>Adds what is asked for whenever somebody looks.</summary>
    public void Watch(HeartbeatSession session, HeartbeatSide side, AlertBoard alerts, HeartbeatEvents events)
    {
        if (side.Reads)
        {
            Meter.CreateObservableGauge(
                "redislatency.replication.heartbeat.age",
                () => session.Ways.Select(way => new Measurement<double>(way.Tally.Look().AgeNs / 1e9, TagsOf(way.Shard))),
                "s", "How long ago the newest heartbeat that was seen at the destination had been sent.");
        }

        if (side is { Reads: true, Writes: false })
        {
            Meter.CreateObservableGauge(
                "redislatency.replication.clock.error",
                () => new Measurement<double>(session.NowErrorNs / 1e9, TagsOf(null)),
                "s", "How far ages may be off, and delays at most, because the clocks of writer and reader are compared over a network.");
        }

        Meter.CreateObservableCounter(
            "redislatency.replication.heartbeats",
            () => session.Ways.SelectMany(way => OutcomesOf(way, side)),
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

    private IEnumerable<Measurement<long>> OutcomesOf(BeatWay way, HeartbeatSide side)
    {
        var counts = way.Tally.Look();
        if (side.Reads)
        {
            yield return Of("seen", counts.Seen);
            yield return Of("skipped", counts.Skipped);
        }
        else
        {
            yield return Of("written", counts.Sent - counts.Refused);
        }

        if (side.Writes)
            yield return Of("refused", counts.Refused);
        yield return Of("unsent", counts.Unsent);

        Measurement<long> Of(string outcome, long count) => new(count, [.. TagsOf(way.Shard), new("outcome", outcome)]);
    }

    private KeyValuePair<string, object?>[] TagsOf(string? shard) =>
        [new("source", _source), new("destination", _destination), new("shard", shard)];
}
