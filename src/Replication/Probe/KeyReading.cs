using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Servers;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Probe;

/// <summary>The keys of a shard, read at one place.</summary>
internal sealed class KeyReading : IDisposable
{
    private readonly ReplicaGuard? _guard;

    public KeyReading(
        IShardKeys keys, IServerPlace place, DelayOptions options, SessionEvents events, IStopToken stop)
    {
        (Keys, Place) = (keys, place);
        Destination = new LastingPipeline(place, options.ReconnectTimeout, events, stop);
        // A promotion may be seen later here than where another process writes.
        _guard = place.IsReplica && keys.AreWrittenElsewhere
            ? new ReplicaGuard(Destination, options.ReconnectTimeout)
            : null;
        Reader = new PollingReader(
            keys, keys.Session, keys.Prefix, options, Destination, events, keys.IntervalNs, _guard);
    }

    public IShardKeys Keys { get; }
    public IServerPlace Place { get; }
    public LastingPipeline Destination { get; }
    public PollingReader Reader { get; }

    public MetricSet Metrics => field ??= DelayMetrics.Of(Keys.Tally, () => Keys.Counts);

    public void Dispose()
    {
        Destination.Dispose();
        _guard?.Dispose();
    }
}

/// <summary>The keys of a shard: where they are from, how they are named, and what became of them.</summary>
internal interface IShardKeys : IKeyRegister
{
    string? Shard { get; }
    string Source { get; }
    string Prefix { get; }
    ulong Session { get; }
    double IntervalNs { get; }

    bool AreWrittenElsewhere { get; }
    DelayTally Tally { get; }
    KeyCounts Counts { get; }

    // How many of the keys that are missing are not at the source either; null where unknown.
    long? MissingAtSource { get; }
}

internal sealed class DestinationReading(ReadDestination destination, IReadOnlyList<KeyReading> shards) : IDisposable
{
    private volatile bool _isLost;

    public ReadDestination Destination => destination;

    public IReadOnlyList<KeyReading> Shards => shards;

    public DelayTally Tally { get; } = DelayTally.Of([.. shards.Select(shard => shard.Keys.Tally)]);

    public MetricSeries Uncertainty { get; } = new(
        DelayMetrics.Uncertainty, [.. shards.Select(shard => shard.Keys.Tally.Uncertainty)]);

    public KeyCounts Counts => KeyCounts.Sum(shards, shard => shard.Keys.Counts);

    public MetricSet Metrics => field ??= DelayMetrics.Of(Tally, () => Counts, errorNs: null, Uncertainty);

    public KeyTrace? Trace { get; init; }

    public bool IsLost => _isLost;

    public void Lose() => _isLost = true;

    public void Dispose()
    {
        foreach (var shard in shards)
            shard.Dispose();
    }
}

internal sealed record ReadDestination(int Number, ResolvedTarget Target, string? Region)
{
    public string Name => Region is null ? Target.Name : $"{Region} ({Target.Name})";
}
