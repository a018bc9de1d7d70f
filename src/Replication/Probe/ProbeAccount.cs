using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Probe;

/// <summary>What became of a session's probes: of all, at each of several destinations, and of each shard.</summary>
internal sealed class ProbeAccount(DelayPlan plan, ProbeSide side, HeartbeatFacts? heartbeat)
{
    private readonly ProbeSession _session = side.Session;

    public ReplicationDelay Whole => field ??=
        Of(side.Ends, _session.Counts, [.. _session.Readings]) with
        {
            Destinations = Math.Max(1, _session.Destinations.Count),
            Direct = side.Direct,
        };

    public IReadOnlyList<RecordedMetric> Lag => LagOf(_session.Readings);

    public IReadOnlyList<PartOutcome> Destinations => field ??= _session.Destinations.Count < 2 ? [] :
    [
        .. _session.Destinations.Select(one => new PartOutcome(
            $"{side.Ends.Source} to {one.Destination.Target.Name}", Of(one), one.Counts, one.Metrics)
        {
            Lag = LagOf(one.Shards),
        }),
    ];

    public IReadOnlyList<PartOutcome> Shards => field ??=
    [
        .. _session.Destinations.SelectMany(at => at.Shards.Where(one => one.Probes.Shard is not null).Select(
            one => PartOf(one.Probes, [one], EndsOf(at), one.Metrics, at.Shards.Count))),
        .. _session.ReadElsewhere.Where(probes => probes.Shard is not null).Select(
            probes => PartOf(probes, [], side.Ends, new MetricSet(), _session.ReadElsewhere.Count)),
    ];

    // Where there are several destinations, each text names its own.
    public IEnumerable<string> OfEach(Func<DestinationReading, IEnumerable<string>> textsOf) =>
        _session.Destinations.SelectMany(one => _session.Destinations.Count == 1
            ? textsOf(one)
            : textsOf(one).Select(text => $"{one.Destination.Name}: {text}"));

    // Null where it is not known of all.
    public static long? MissingAtSource(IEnumerable<ShardReading> readings) =>
        Sum(readings.Select(one => one.Probes.MissingAtSource));

    // Of these, those that the source never confirmed.
    public static long? MissingUnconfirmed(IEnumerable<ShardReading> readings) =>
        Sum(readings.Select(one => one.Probes.MissingUnconfirmed));

    private static long? Sum(IEnumerable<long?> counts)
    {
        var known = counts.ToList();
        return known.Contains(null) ? null : known.Sum();
    }

    private PartOutcome PartOf(
        IShardProbes probes, IReadOnlyList<ShardReading> readings, LinkEnds ends, MetricSet metrics, int shards)
    {
        var known = Of(
            ends with
            {
                Source = probes.Source,
                Destination = readings is [var one] ? one.Destination.Target.Name : ends.Destination,
            },
            probes.Counts,
            readings);
        return new PartOutcome($"{probes.Shard}: {known.Source} to {known.Destination}", known, probes.Counts, metrics)
        {
            Share = 1.0 / shards,
            Lag = LagOf(readings),
        };
    }

    private IReadOnlyList<RecordedMetric> LagOf(IEnumerable<ShardReading> readings) =>
        side.LagAt(readings.Select(one => one.Server))?.Rows ?? [];

    private ReplicationDelay Of(DestinationReading one) => Of(EndsOf(one), one.Counts, one.Shards);

    private LinkEnds EndsOf(DestinationReading one) => side.Ends with
    {
        Destination = one.Destination.Target.Name,
        DestinationRegion = one.Destination.Region,
    };

    private ReplicationDelay Of(LinkEnds ends, in DelayCounts counts, IReadOnlyList<ShardReading> readings)
    {
        var servers = readings.Select(one => one.Server).ToList();
        return new ReplicationDelay
        {
            Source = ends.Source,
            Destination = ends.Destination,
            SourceRegion = ends.SourceRegion,
            DestinationRegion = ends.DestinationRegion,
            ReadElsewhere = !side.Reads,
            Reading = side.Reading,
            Clocks = side.Clocks,
            ErrorNs = side.ErrorNs,
            DeadlineNs = plan.IsContinuous ? plan.Options.Expiry.InNanoseconds
                : side.Reads ? plan.Options.Deadline.InNanoseconds
                : 0,
            Unanswered = counts.Unanswered,
            MissingAtSource = MissingAtSource(readings) ?? 0,
            Polls = readings.Sum(one => one.Reader.Polls),
            PollBytes = readings.Sum(one => one.Destination.Bytes),
            ReadingShare = side.ReadingShareAt(servers),
            Heartbeat = heartbeat,
        };
    }
}

/// <summary>The probes of a part of a session, and what they took.</summary>
internal sealed record PartOutcome(string Name, ReplicationDelay Probes, DelayCounts Counts, MetricSet Metrics)
{
    // Which share of the probes are written for it.
    public double Share { get; init; } = 1;

    // None where it is not known.
    public IReadOnlyList<RecordedMetric> Lag { get; init; } = [];
}
