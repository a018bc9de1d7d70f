using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Replication.Figures;

/// <summary>The delays of a session, and how many keys have none. One thread records.</summary>
/// <param name="shards">Those of the shards that it is the sum of; none where it is recorded itself.</param>
internal sealed class DelayTally(params IReadOnlyList<DelayTally> shards)
{
    private readonly List<long> _missing = [];

    /// <summary>The delays from when each key was sent.</summary>
    public DelaySeries FromSent { get; } = new(
        DelaySeriesNames.Delay, [.. shards.Select(shard => shard.FromSent)]);

    /// <summary>The delays from when each key was due.</summary>
    public DelaySeries FromIntended { get; } = new(
        DelaySeriesNames.DelayFromIntended, [.. shards.Select(shard => shard.FromIntended)]);

    /// <summary>How long each delay's interval was.</summary>
    public LatencyRecorder Uncertainty { get; } = new();

    /// <summary>Keys that were read as they were written.</summary>
    public long Read { get => field + shards.Sum(shard => shard.Read); set; }

    /// <summary>Keys that had another value.</summary>
    public long Overwritten { get => field + shards.Sum(shard => shard.Overwritten); set; }

    /// <summary>How many keys are missing.</summary>
    public long MissingCount { get => field + shards.Sum(shard => shard.MissingCount); private set; }

    /// <summary>The numbers of the keys that were not there when their deadline had passed.</summary>
    public IReadOnlyList<long> Missing => _missing;

    /// <summary>Keeps a key as missing.</summary>
    public void Miss(long sequence)
    {
        _missing.Add(sequence);
        MissingCount++;
    }

    /// <inheritdoc cref="DelaySeries.CountMissing"/>
    public void CountMissing(long asked)
    {
        FromSent.CountMissing(asked);
        FromIntended.CountMissing(asked);
    }

    /// <summary>Adds the delay of a key: when it was sent, when due, and between which instants it came.</summary>
    public void Record(long sentNs, long intendedNs, long lastMissNs, long foundNs)
    {
        FromSent.Record(lastMissNs - sentNs, foundNs - sentNs);
        FromIntended.Record(lastMissNs - intendedNs, foundNs - intendedNs);
        Uncertainty.Record(foundNs - lastMissNs);
    }
}
