using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Probe;

internal abstract class KeyReading(
    string? shard, IServerPlace place, DelayOptions options, SessionEvents events, IStopToken stop) : IDisposable
{
    private ReplicaGuard? _guard;
    private RoleCheck? _role;
    private KeyPolls? _polls;

    public string? Shard => shard;

    public IServerPlace Place => place;

    public DelayTally Tally { get; } = new() { DeadlineNs = options.Deadline.InNanoseconds };
    public LastingPipeline Destination { get; } = new(place, options.ReconnectTimeout, events, stop);
    public abstract IKeyReader Reader { get; }
    public abstract string Source { get; }
    public abstract KeyCounts Counts { get; }

    // How many of the keys that are missing are not at the source either; null where unknown.
    public virtual long? MissingAtSource => null;

    public MetricSet Metrics => field ??= DelayMetrics.Of(Tally, () => Counts);

    public void Dispose()
    {
        _polls?.Dispose();
        Destination.Dispose();
        _role?.Dispose();
        _guard?.Dispose();
    }

    // What is read at a replica is guarded where its promotion may be seen later than by who writes.
    protected IKeyReader ReaderOf(
        IKeyRegister register, ReadingKind kind, string prefix, ulong session, double intervalNs,
        Func<long, long>? dueOf, bool isGuarded)
    {
        if (kind == ReadingKind.Polling)
        {
            _guard = isGuarded ? new ReplicaGuard(Destination, options.ReconnectTimeout) : null;
            return new PollingReader(register, session, prefix, options, Destination, events, intervalNs, _guard);
        }

        var subscription = new PushSubscription(
            kind, KeyNames.Begin(prefix, session), Destination.Target.Endpoint.Database, options.Prefix);
        _role = isGuarded ? new RoleCheck() : null;
        _polls = new KeyPolls(place, prefix, session, _role);
        return new PushReader(
            register, subscription, dueOf, options.Deadline, Destination, _polls,
            new LinkStandstill(Destination.Label, intervalNs, events));
    }
}

internal sealed class DestinationReading(ReadDestination destination, IReadOnlyList<KeyReading> shards) : IDisposable
{
    private volatile bool _isLost;

    public ReadDestination Destination => destination;

    public IReadOnlyList<KeyReading> Shards => shards;

    public DelayTally Tally { get; } = DelayTally.Of([.. shards.Select(shard => shard.Tally)]);

    public MetricSeries Uncertainty { get; } = new(
        DelayMetrics.Uncertainty, [.. shards.Select(shard => shard.Tally.Uncertainty)]);

    public KeyCounts Counts
    {
        get
        {
            var sum = default(KeyCounts);
            for (var i = 0; i < shards.Count; i++)
                sum += shards[i].Counts;
            return sum;
        }
    }

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
