using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Replication.Figures;

/// <summary>What became of the keys of a session: of all, at each destination, and by shards.</summary>
internal sealed class KeyAccount
{
    private readonly KeySession _session;
    private readonly LinkWatch _watch;
    private readonly DelayOptions _options;
    private readonly ResolvedTarget _source;
    private readonly Dictionary<ShardReading, long?> _missingAtSource;

    public KeyAccount(KeySession session, LinkWatch watch, DelayOptions options, ResolvedTarget source)
    {
        (_session, _watch, _options, _source) = (session, watch, options, source);
        _missingAtSource = session.Readings.ToDictionary(
            one => one, one => MissingAtSource.Count(session.Writing.Id, one.Way, one.Tally));
    }

    // Counts every key without a delay as slower than all others, in each series that it should be in.
    public void CountMissing()
    {
        foreach (var destination in _session.Destinations)
        {
            foreach (var shard in destination.Shards)
                shard.Tally.CountMissing(shard.Writers.Sum(writer => writer.Asked));
            if (destination.Shards.Count > 1)
                destination.Tally.CountMissing(_session.Writing.Asked);
        }

        if (_session.Destinations.Count > 1)
            _session.Tally.CountMissing(_session.Writing.Asked * _session.Destinations.Count);
    }

    public ReplicationDelay Whole() => _session.Destinations.Count == 1
        ? Of(_session.Destinations[0])
        : Of(
            _source.Name, string.Join(", ", _session.Destinations.Select(one => one.Destination.Target.Name)), null,
            _session.Counts, _session.Destinations, [.. _session.Readings]);

    public ReplicationDelay Of(DestinationReading one) => Of(
        _source.Name, one.Destination.Target.Name, one.Destination.Region, one.Counts, [one], one.Shards);

    public IReadOnlyList<PartOutcome> Destinations() => _session.Destinations.Count == 1
        ? []
        : [.. _session.Destinations.Select(PartOf)];

    public IReadOnlyList<PartOutcome> Shards() =>
    [
        .. _session.Destinations.SelectMany(destination =>
            destination.Shards.Where(one => one.Way.Shard is not null).Select(one => PartOf(one, destination))),
    ];

    // How many of the keys that are missing at a destination are not at the source; null where unknown.
    public long? MissingAtSourceOf(IEnumerable<ShardReading> readings)
    {
        var counts = readings.Select(one => _missingAtSource[one]).ToList();
        return counts.Contains(null) ? null : counts.Sum();
    }

    private PartOutcome PartOf(DestinationReading one) => new()
    {
        Name = $"{_source.Name} to {one.Destination.Target.Name}",
        Keys = Of(one),
        Metrics = one.Metrics,
        Sent = _session.Writing.Sent,
    };

    private PartOutcome PartOf(ShardReading one, DestinationReading at)
    {
        var source = one.Way.Source.LastName;
        var destination = one.Destination.Target.Name;
        return new PartOutcome
        {
            Name = $"{one.Way.Shard}: {source} to {destination}",
            Keys = Of(source, destination, at.Destination.Region, one.Counts, [at], [one]),
            Metrics = one.Metrics,
            Sent = one.Counts.Sent,
            Share = 1.0 / at.Shards.Count,
        };
    }

    private ReplicationDelay Of(
        string source, string destination, string? region, KeyCounts counts, IReadOnlyList<DestinationReading> at,
        IReadOnlyList<ShardReading> readings) => counts.In(new ReplicationDelay
        {
            Source = source,
            Destination = destination,
            Destinations = at.Count,
            SourceRegion = _options.SourceRegion,
            DestinationRegion = region,
            Reading = string.Join(" and ", at.Select(one => PushChoice.NameOf(one.Destination.Reading)).Distinct()),
            Clocks = "one clock: nothing to correct",
            DeadlineNs = _options.Deadline.InNanoseconds,
            Asked = counts.Asked,
            MissingAtSource = MissingAtSourceOf(readings) ?? 0,
            Polls = readings.Sum(one => one.Reader.Polls),
            PollBytes = readings.Sum(one => one.Destination.Bytes),
            ReadingShare = _watch.ReadingShareAt(readings.Select(one => one.Way.Destination)),
            Lag = _watch.LagOf(readings.Select(one => one.Way)),
        });
}

/// <summary>Looks at the source for keys that did not come: one that was evicted there never could.</summary>
internal static class MissingAtSource
{
    // Beyond that the first ones tell enough.
    private const int MostAsked = 10_000;

    public static long? Count(ulong session, KeyWay way, DelayTally tally)
    {
        if (tally.MissingCount == 0)
            return 0;
        try
        {
            using var control = way.Source.OpenControl();
            var key = new KeyNames(way.Prefix, session);
            return tally.Missing.Take(MostAsked).Select(
                sequence => System.Text.Encoding.ASCII.GetString(key.Of(sequence)))
                .Chunk(500).Sum(chunk => chunk.Length - control.Execute(["EXISTS", .. chunk]).Number);
        }
        catch (RedisException)
        {
            return null;
        }
    }
}
