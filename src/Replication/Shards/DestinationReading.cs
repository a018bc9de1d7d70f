using RedisLatency.Hosting.Running;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Nodes;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Shards;

/// <summary>Everything that is read at one destination: of each shard, or of the only way.</summary>
internal sealed class DestinationReading : IDisposable
{
    private readonly List<ShardReading> _shards = [];
    private volatile bool _isLost;

    public DestinationReading(
        DelayPlan plan, ReadDestination destination, IEnumerable<KeyWay> ways, KeySession session, IStopToken stop)
    {
        Destination = destination;
        Trace = plan.Options.EachKey ? new KeyTrace(session.Writing.Ledger.Keys) : null;
        _shards.AddRange(ways.Select(way => new ShardReading(plan, destination.Reading, way, Trace, session, stop)));
        Tally = _shards.Count == 1 ? _shards[0].Tally : new DelayTally([.. _shards.Select(one => one.Tally)]);
        Uncertainty = new(DelaySeriesNames.Uncertainty, [.. _shards.Select(one => one.Tally.Uncertainty)]);
    }

    public ReadDestination Destination { get; }

    public IReadOnlyList<ShardReading> Shards => _shards;

    public DelayTally Tally { get; }
    public CollectedSeries Uncertainty { get; }
    public KeyTrace? Trace { get; }

    public bool IsLost => _isLost;

    public void Lose() => _isLost = true;

    public void Dispose() => _shards.ForEach(one => one.Dispose());
}
