using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Replication.Figures;

/// <summary>Delays as intervals: from sending the last look that missed the key to the answer that held it.</summary>
internal sealed class DelaySeries(string name, params IReadOnlyList<DelaySeries> shards)
{
    private readonly LatencyRecorder _lower = new();
    private readonly LatencyRecorder _middle = new();
    private readonly LatencyRecorder _upper = new();

    public string Name { get; } = name;

    public IReadOnlyList<CollectedSeries> Parts => field ??= shards.Count == 0
        ? [new($"{Name}-lower", _lower), new(Name, _middle), new($"{Name}-upper", _upper)]
        : [Sum($"{Name}-lower", 0), Sum(Name, 1), Sum($"{Name}-upper", 2)];

    public LatencyHistogram Lower => Parts[0].Total;

    public LatencyHistogram Middle => Parts[1].Total;

    public LatencyHistogram Upper => Parts[2].Total;

    public void Record(long lowerNs, long upperNs)
    {
        _lower.Record(lowerNs);
        _middle.Record(lowerNs + ((upperNs - lowerNs) / 2));
        _upper.Record(upperNs);
    }

    // Keys that never got a delay: they count as slower than all that did. Once, when all is recorded.
    public void CountMissing(long asked)
    {
        var recorded = Middle.BelowRange + Middle.TotalCount + Middle.AboveRange;
        foreach (var part in Parts)
            part.Total.AddMissing(Math.Max(0, asked - recorded));
    }

    private CollectedSeries Sum(string sum, int part) => new(sum, [.. shards.Select(shard => shard.Parts[part])]);
}

/// <summary>The names of series: in thresholds, in the record, and as tags of the interval log.</summary>
internal static class DelaySeriesNames
{
    public const string Delay = "delay";
    public const string DelayFromIntended = "delay-intended";
    public const string Uncertainty = "uncertainty";
    public const string Lateness = "lateness";
    public const string Wait = "wait";
    public const string WaitForAll = "wait-all";
    public const string Hiccups = "hiccups";
}

internal sealed class DelayTally(params IReadOnlyList<DelayTally> shards)
{
    private readonly List<long> _missing = [];

    public DelaySeries FromSent { get; } = new(
        DelaySeriesNames.Delay, [.. shards.Select(shard => shard.FromSent)]);

    public DelaySeries FromIntended { get; } = new(
        DelaySeriesNames.DelayFromIntended, [.. shards.Select(shard => shard.FromIntended)]);

    public LatencyRecorder Uncertainty { get; } = new();

    public long Read { get => field + shards.Sum(shard => shard.Read); set; }

    public long Overwritten { get => field + shards.Sum(shard => shard.Overwritten); set; }

    public long MissingCount { get => field + shards.Sum(shard => shard.MissingCount); private set; }

    public IReadOnlyList<long> Missing => _missing;

    public void Miss(long sequence)
    {
        _missing.Add(sequence);
        MissingCount++;
    }

    public void CountMissing(long asked)
    {
        FromSent.CountMissing(asked);
        FromIntended.CountMissing(asked);
    }

    public void Record(long sentNs, long intendedNs, long lastMissNs, long foundNs)
    {
        FromSent.Record(lastMissNs - sentNs, foundNs - sentNs);
        FromIntended.Record(lastMissNs - intendedNs, foundNs - intendedNs);
        Uncertainty.Record(foundNs - lastMissNs);
    }
}

internal sealed class CollectedSeries
{
    private readonly IReadOnlyList<LatencyRecorder> _recorders;
    private readonly IReadOnlyList<CollectedSeries> _parts;
    private readonly BlockedSeries _series = new();

    public CollectedSeries(string name, params IReadOnlyList<LatencyRecorder> recorders) =>
        (Name, _recorders, _parts) = (name, recorders, []);

    public CollectedSeries(string name, IReadOnlyList<CollectedSeries> parts) =>
        (Name, _recorders, _parts) = (name, [], parts);

    public string Name { get; }

    public LatencyHistogram Interval => _series.Interval;

    public LatencyHistogram Total => _series.Total;

    public SampleBlocks Blocks => _series.Blocks;

    public void TakeBlock(TimeSpan duration)
    {
        Collect();
        EndBlock(duration);
    }

    public void EndInterval()
    {
        _series.EndInterval();
        for (var i = 0; i < _parts.Count; i++)
            _parts[i].EndInterval();
    }

    private void Collect()
    {
        for (var i = 0; i < _recorders.Count; i++)
            _recorders[i].TakeInterval(_series.Block);
        for (var i = 0; i < _parts.Count; i++)
        {
            _parts[i].Collect();
            _series.Block.Add(_parts[i]._series.Block);
        }
    }

    private void EndBlock(TimeSpan duration)
    {
        _series.EndBlock(duration);
        for (var i = 0; i < _parts.Count; i++)
            _parts[i].EndBlock(duration);
    }
}
