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

    /// <summary>Opens the connections.</summary>
    /// <param name="plan">What is wanted.</param>
    /// <param name="destination">Where, and how.</param>
    /// <param name="ways">The ways that end there, one for each stream of keys.</param>
    /// <param name="session">Whose keys.</param>
    /// <param name="stop">Ends the run.</param>
    public DestinationReading(
        DelayPlan plan, ReadDestination destination, IEnumerable<KeyWay> ways, KeySession session, IStopToken stop)
    {
        Destination = destination;
        Trace = plan.Options.EachKey ? new KeyTrace(session.Writing.Ledger.Keys) : null;
        _shards.AddRange(ways.Select(way => new ShardReading(plan, destination.Reading, way, Trace, session, stop)));
        Tally = _shards.Count == 1 ? _shards[0].Tally : new DelayTally([.. _shards.Select(one => one.Tally)]);
        Uncertainty = new(DelaySeriesNames.Uncertainty, [.. _shards.Select(one => one.Tally.Uncertainty)]);
    }

    /// <summary>Where, and how.</summary>
    public ReadDestination Destination { get; }

    /// <summary>Of each stream of keys, in their order.</summary>
    public IReadOnlyList<ShardReading> Shards => _shards;

    /// <summary>The delays of all keys that were read here.</summary>
    public DelayTally Tally { get; }

    /// <summary>How far apart looks were.</summary>
    public CollectedSeries Uncertainty { get; }

    /// <summary>Every key with its stamps; null where nobody wants that.</summary>
    public KeyTrace? Trace { get; }

    /// <summary>Whether it went away for good.</summary>
    public bool IsLost => _isLost;

    /// <summary>It went away for good.</summary>
    public void Lose() => _isLost = true;

    /// <inheritdoc/>
    public void Dispose() => _shards.ForEach(one => one.Dispose());
}
