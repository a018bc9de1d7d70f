using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Probe;

/// <summary>The delays of a shard, or of several together, and how many keys had none.</summary>
internal sealed class DelayTally(params IReadOnlyList<DelayTally> shards)
{
    private readonly List<long> _missing = [];

    public DelaySeries FromSent { get; } = new(DelayMetrics.Delay, null, [.. shards.Select(shard => shard.FromSent)]);

    public DelaySeries FromIntended => field ??= new(
        DelayMetrics.DelayFromIntended, FromSent, [.. shards.Select(shard => shard.FromIntended)]);

    public IReadOnlyList<MetricSeries> Parts => field ??= [.. FromSent.Parts, .. FromIntended.Parts];

    public LatencyRecorder Uncertainty { get; } = new();

    public static DelayTally Of(IReadOnlyList<DelayTally> parts) => parts.Count == 1 ? parts[0] : new(parts);

    public long Read { get => field + Sum(shard => shard.Read); set; }

    public long Overwritten { get => field + Sum(shard => shard.Overwritten); set; }

    // By when a key is to be there; zero where none is missing for coming late.
    public long DeadlineNs { get => shards.Count == 0 ? field : shards[0].DeadlineNs; init; }

    // Of those that were read.
    public long FoundLate => DeadlineNs == 0 ? 0 : FromSent.Upper.AboveRange
        + FromSent.Upper.CountBetween(DeadlineNs, FromSent.Upper.HighestRecordable);

    public long MissingCount { get => field + Sum(shard => shard.MissingCount); private set; }

    public IReadOnlyList<long> Missing => _missing;

    public void Miss(long sequence)
    {
        _missing.Add(sequence);
        MissingCount++;
    }

    // While it goes on.
    public void CountMissing(Func<long> soFar)
    {
        var missing = 0L; // Of all parts the same.
        foreach (var part in Parts)
            part.MissingSoFar = () => (part == Parts[0] ? missing = soFar() : missing, 0);
    }

    // Keys that never got a delay: they count as slower than all that did. Once, when all is recorded.
    public void CountMissing(long asked)
    {
        foreach (var part in Parts)
            part.CountMissing(asked);
    }

    public void Record(long sentNs, long intendedNs, long lastMissNs, long foundNs)
    {
        FromSent.Record(lastMissNs - sentNs, foundNs - sentNs, FromIntended, sentNs - intendedNs);
        Uncertainty.Record(foundNs - lastMissNs);
    }

    // Asked for each second: by index, nothing is allocated.
    private long Sum(Func<DelayTally, long> count)
    {
        var sum = 0L;
        for (var i = 0; i < shards.Count; i++)
            sum += count(shards[i]);
        return sum;
    }
}
