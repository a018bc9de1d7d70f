using System.Diagnostics.Metrics;
using RedisLatency.Hosting.CommandLine;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Replication.Probe;
using RedisLatency.Replication.Sides;
using RedisLatency.Reports.Output;

namespace RedisLatency.Replication.Figures;

internal sealed class HeartbeatInstruments : IDisposable
{
    private readonly string _source;
    private readonly string _destination;
    private readonly Histogram<double> _delay;

    public HeartbeatInstruments(string source, string destination)
    {
        (_source, _destination) = (source, destination);
        _delay = Meter.CreateHistogram(
            "redislatency.replication.delay", "s",
            "From when a heartbeat was sent to when it was at the destination, the middle between two looks.",
            tags: null, DurationBuckets.Advice);
    }

    public Meter Meter { get; } = new("RedisLatency.Replication", ProgramVersion.Text);

    public void Found(string? shard, long delayNs) => _delay.Record(delayNs / 1e9, TagsOf(shard));

    public void Watch(HeartbeatSession session, HeartbeatSide side, AlertBoard alerts, HeartbeatEvents events)
    {
        if (side.Reads)
        {
            Meter.CreateObservableGauge(
                "redislatency.replication.heartbeat.age",
                () => session.Ways.Select(
                    way => new Measurement<double>(way.Tally.Look().AgeNs / 1e9, TagsOf(way.Shard))),
                "s", "How long ago the newest heartbeat that was seen at the destination had been sent.");
        }

        if (side is { Reads: true, Writes: false })
        {
            Meter.CreateObservableGauge(
                "redislatency.replication.clock.error",
                () => new Measurement<double>(session.NowErrorNs / 1e9, TagsOf(null)),
                "s", "How far ages may be off, and delays at most, because the clocks of writer and reader are "
                    + "compared over a network.");
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

    public void Dispose() => Meter.Dispose();

    private IEnumerable<Measurement<long>> OutcomesOf(HeartbeatWay way, HeartbeatSide side)
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

internal sealed class HeartbeatHealth(HeartbeatSession session, HeartbeatSide side, AlertBoard alerts)
{
    // However long they take: none for so long means that none come.
    private const long LeastSilenceNs = 5_000_000_000;
    private const int MissedBeats = 10;

    public string? Illness
    {
        get
        {
            if (session.Lost is { } lost)
                return lost;
            if (alerts.Active.FirstOrDefault() is { } threshold)
                return $"{threshold.Text} does not hold";
            var silence = session.Look().SilenceNs;
            return silence > Math.Max(LeastSilenceNs, MissedBeats * session.Schedule.IntervalNs)
                ? string.Join("; ",
                    new[] { $"no heartbeat came for {Quantity.Duration(silence)}", side.Illness }.OfType<string>())
                : null;
        }
    }
}
