using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Replication;

internal sealed class KeyAccount(string source, IReadOnlyList<DestinationReading> destinations, DelayOptions options)
{
    // What only one of the runs knows, of those of the keys that these are.
    public required Func<ReplicationDelay, IEnumerable<KeyReading>, ReplicationDelay> Complete { get; init; }

    public ReplicationDelay Whole() => destinations.Count == 1
        ? Of(destinations[0])
        : Of(
            source, string.Join(", ", destinations.Select(one => one.Destination.Target.Name)), null, destinations,
            [.. destinations.SelectMany(one => one.Shards)]);

    public IReadOnlyList<PartOutcome> Destinations() => destinations.Count == 1
        ? []
        :
        [
            .. destinations.Select(one => new PartOutcome(
                $"{source} to {one.Destination.Target.Name}", Of(one), one.Metrics)),
        ];

    public IReadOnlyList<PartOutcome> Shards() =>
    [
        .. destinations.SelectMany(
            at => at.Shards.Where(one => one.Keys.Shard is not null).Select(one => PartOf(one, at))),
    ];

    // Counts every key without a delay as slower than all others, in each series that it should be in.
    public void CountMissing(DelayTally all)
    {
        foreach (var destination in destinations)
        {
            foreach (var shard in destination.Shards)
                shard.Keys.Tally.CountMissing(shard.Keys.Counts.Asked);
            if (destination.Shards.Count > 1)
                destination.Tally.CountMissing(destination.Counts.Asked);
        }

        if (destinations.Count > 1)
            all.CountMissing(destinations.Sum(one => one.Counts.Asked));
    }

    public IEnumerable<string> Faults() => destinations.SelectMany(
        one => Named(one, DelayVerdict.ReadingFaults(CountsOf(one.Shards))));

    public IEnumerable<string> Notes() => destinations.SelectMany(one => Named(
        one,
        DelayVerdict.ReadingNotes(
            CountsOf(one.Shards), options.Deadline, one.Uncertainty.Total, MissingAtSource(one.Shards))));

    private static KeyCounts CountsOf(IReadOnlyList<KeyReading> readings) =>
        KeyCounts.Sum(readings, one => one.Keys.Counts);

    // Null where it is not known of all.
    private static long? MissingAtSource(IEnumerable<KeyReading> readings)
    {
        var counts = readings.Select(one => one.Keys.MissingAtSource).ToList();
        return counts.Contains(null) ? null : counts.Sum();
    }

    private IEnumerable<string> Named(DestinationReading one, IEnumerable<string> texts) =>
        destinations.Count == 1 ? texts : texts.Select(text => $"{one.Destination.Name}: {text}");

    private PartOutcome PartOf(KeyReading one, DestinationReading at)
    {
        var keys = Of(one.Keys.Source, one.Destination.Target.Name, at.Destination.Region, [at], [one]);
        return new PartOutcome($"{one.Keys.Shard}: {keys.Source} to {keys.Destination}", keys, one.Metrics)
        {
            Share = 1.0 / at.Shards.Count,
        };
    }

    private ReplicationDelay Of(DestinationReading one) => Of(
        source, one.Destination.Target.Name, one.Destination.Region, [one], one.Shards);

    private ReplicationDelay Of(
        string from, string to, string? region, IReadOnlyList<DestinationReading> at,
        IReadOnlyList<KeyReading> readings)
    {
        var keys = new ReplicationDelay
        {
            Source = from,
            Destination = to,
            Destinations = at.Count,
            DestinationRegion = region,
            Reading = "polling",
            Clocks = DelayVerdict.OneClock,
            DeadlineNs = options.Deadline.InNanoseconds,
            Unanswered = CountsOf(readings).Unanswered,
            MissingAtSource = MissingAtSource(readings) ?? 0,
            Polls = readings.Sum(one => one.Reader.Polls),
            PollBytes = readings.Sum(one => one.Destination.Bytes),
        };
        return Complete(keys, readings);
    }
}
