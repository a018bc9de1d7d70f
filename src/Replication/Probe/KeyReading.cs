using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Probe;

/// <summary>The keys of a shard, read at one place.</summary>
internal sealed class KeyReading : IDisposable
{
    private readonly ReplicaGuard? _guard;
    private readonly RoleCheck? _role;
    private readonly KeyPolls? _polls;

    public KeyReading(
        IShardKeys keys, IServerPlace place, ReadingKind kind, DelayOptions options, SessionEvents events,
        IStopToken stop)
    {
        (Keys, Place) = (keys, place);
        Destination = new LastingPipeline(place, options.ReconnectTimeout, events, stop);
        // A promotion may be seen later here than where another process writes.
        var isGuarded = place.IsReplica && keys.DueOf is null;
        if (kind == ReadingKind.Polling)
        {
            _guard = isGuarded ? new ReplicaGuard(Destination, options.ReconnectTimeout) : null;
            Reader = new PollingReader(
                keys, keys.Session, keys.Prefix, options, Destination, events, keys.IntervalNs, _guard);
            return;
        }

        var subscription = new PushSubscription(
            kind, KeyNames.Begin(keys.Prefix, keys.Session), Destination.Target.Endpoint.Database, options.Prefix);
        _role = isGuarded ? new RoleCheck() : null;
        _polls = new KeyPolls(place, keys.Prefix, keys.Session, _role);
        var reader = new PushReader(
            keys, subscription, keys.DueOf, options.Deadline, Destination, _polls,
            new LinkStandstill(Destination.Label, keys.IntervalNs, events));
        reader.Subscribe();
        Reader = reader;
    }

    public IShardKeys Keys { get; }
    public IServerPlace Place { get; }
    public LastingPipeline Destination { get; }
    public IKeyReader Reader { get; }

    public MetricSet Metrics => field ??= DelayMetrics.Of(Keys.Tally, () => Keys.Counts);

    public void Dispose()
    {
        _polls?.Dispose();
        Destination.Dispose();
        _role?.Dispose();
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

    // By this process' clock; null where another process writes.
    Func<long, long>? DueOf { get; }
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

internal sealed record ReadDestination(int Number, ResolvedTarget Target, string? Region, ReadingKind Reading)
{
    // Why it is polled although pushes were asked for.
    public string? Refusal { get; init; }

    public string Name => Region is null ? Target.Name : $"{Region} ({Target.Name})";

    // Polling is what some of them are left with, never what all get who were asked for pushes.
    public static IReadOnlyList<ReadDestination> Choose(
        IReadOnlyList<ResolvedTarget> targets, IReadOnlyList<KeyWay> ways, DelayOptions options)
    {
        List<ReadDestination> all = [.. targets.Select((target, number) => Choose(target, number, ways, options))];
        return all.Exists(one => one.Refusal is null) ? all : throw new RunRefusedException(all[^1].Refusal!);
    }

    private static ReadDestination Choose(
        ResolvedTarget target, int number, IReadOnlyList<KeyWay> ways, DelayOptions options)
    {
        var polled = new ReadDestination(
            number, target, options.DestinationRegions.ElementAtOrDefault(number), ReadingKind.Polling);
        var servers = ways.Where(way => way.DestinationNumber == number).Select(way => way.Destination.Require());
        try
        {
            return polled with { Reading = PushChoice.Decide(options.Reading, [.. servers], options.Prefix) };
        }
        catch (RunRefusedException refusal)
        {
            return polled with { Refusal = refusal.Message };
        }
    }
}
