using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Probe;

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
