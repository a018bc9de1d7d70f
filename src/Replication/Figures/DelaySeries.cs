using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Figures;

/// <summary>Delays as intervals: from sending the last look that missed the key to the answer that held it.</summary>
internal sealed class DelaySeries(Metric metric, params IReadOnlyList<DelaySeries> shards)
{
    private readonly LatencyRecorder _lower = new();
    private readonly LatencyRecorder _middle = new();
    private readonly LatencyRecorder _upper = new();

    public Metric Metric { get; } = metric;

    public IReadOnlyList<MetricSeries> Parts => field ??=
    [
        Part(0, End("lower"), _lower), Part(1, Metric, _middle), Part(2, End("upper"), _upper),
    ];

    public LatencyHistogram Lower => Parts[0].Total;

    public LatencyHistogram Middle => Parts[1].Total;

    public LatencyHistogram Upper => Parts[2].Total;

    public void Record(long lowerNs, long upperNs)
    {
        _lower.Record(lowerNs);
        _middle.Record(lowerNs + ((upperNs - lowerNs) / 2));
        _upper.Record(upperNs);
    }

    private Metric End(string end) => Metric with { Name = $"{Metric.Name}-{end}", Column = LiveColumn.None };

    private MetricSeries Part(int part, Metric metric, LatencyRecorder recorder) => shards.Count == 0
        ? new(metric, recorder)
        : new(metric, [.. shards.Select(shard => shard.Parts[part])]);
}

internal sealed class DelayTally(params IReadOnlyList<DelayTally> shards)
{
    private readonly List<long> _missing = [];

    public DelaySeries FromSent { get; } = new(DelayMetrics.Delay, [.. shards.Select(shard => shard.FromSent)]);

    public DelaySeries FromIntended { get; } = new(
        DelayMetrics.DelayFromIntended, [.. shards.Select(shard => shard.FromIntended)]);

    public IReadOnlyList<MetricSeries> Parts => field ??= [.. FromSent.Parts, .. FromIntended.Parts];

    public LatencyRecorder Uncertainty { get; } = new();

    public long Read { get => field + Sum(shard => shard.Read); set; }

    public long Overwritten { get => field + Sum(shard => shard.Overwritten); set; }

    public long MissingCount { get => field + Sum(shard => shard.MissingCount); private set; }

    public IReadOnlyList<long> Missing => _missing;

    public void Miss(long sequence)
    {
        _missing.Add(sequence);
        MissingCount++;
    }

    // Keys that never got a delay: they count as slower than all that did. Once, when all is recorded.
    public void CountMissing(long asked)
    {
        foreach (var part in Parts)
            part.CountMissing(asked);
    }

    public void Record(long sentNs, long intendedNs, long lastMissNs, long foundNs)
    {
        FromSent.Record(lastMissNs - sentNs, foundNs - sentNs);
        FromIntended.Record(lastMissNs - intendedNs, foundNs - intendedNs);
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
