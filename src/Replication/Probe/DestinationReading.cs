using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Probe;

/// <summary>What is read at one destination: each of its shards, and all of them together.</summary>
internal sealed class DestinationReading(ReadDestination destination, IReadOnlyList<ShardReading> shards) : IDisposable
{
    private volatile bool _isLost;

    public ReadDestination Destination => destination;

    public IReadOnlyList<ShardReading> Shards => shards;

    public DelayTally Tally { get; } = DelayTally.Of([.. shards.Select(shard => shard.Probes.Tally)]);

    public MetricSeries Uncertainty { get; } = new(
        DelayMetrics.Uncertainty, [.. shards.Select(shard => shard.Probes.Tally.Uncertainty)]);

    public DelayCounts Counts => DelayCounts.Sum(shards, shard => shard.Probes.Counts);

    public MetricSet Metrics => field ??= DelayMetrics.Of(Tally, () => Counts, errorNs: null, Uncertainty);

    public bool IsLost => _isLost;

    public void Lose() => _isLost = true;

    public void Dispose()
    {
        foreach (var shard in shards)
            shard.Dispose();
    }
}
