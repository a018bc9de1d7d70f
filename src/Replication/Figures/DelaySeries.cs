using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Replication.Figures;

/// <summary>
/// The delay of each key as an interval: it was there after the last look that did not find it was sent, and before the
/// answer that held it came. Percentiles of the true delays lie between those of the two ends.
/// </summary>
/// <param name="name">The middles' name.</param>
/// <param name="shards">Those of the shards that it is the sum of; none where it is recorded itself.</param>
internal sealed class DelaySeries(string name, params IReadOnlyList<DelaySeries> shards)
{
    private readonly LatencyRecorder _lower = new();
    private readonly LatencyRecorder _middle = new();
    private readonly LatencyRecorder _upper = new();

    /// <summary>The middles' name.</summary>
    public string Name { get; } = name;

    /// <summary>All three, with their names: lower ends, middles, upper ends.</summary>
    public IReadOnlyList<CollectedSeries> Parts => field ??= shards.Count == 0
        ? [new($"{Name}-lower", _lower), new(Name, _middle), new($"{Name}-upper", _upper)]
        : [Sum($"{Name}-lower", 0), Sum(Name, 1), Sum($"{Name}-upper", 2)];

    /// <summary>The least that the delays can be.</summary>
    public LatencyHistogram Lower => Parts[0].Total;

    /// <summary>The middles.</summary>
    public LatencyHistogram Middle => Parts[1].Total;

    /// <summary>The most that they can be.</summary>
    public LatencyHistogram Upper => Parts[2].Total;

    /// <summary>Adds the delay of a key.</summary>
    public void Record(long lowerNs, long upperNs)
    {
        _lower.Record(lowerNs);
        _middle.Record(lowerNs + ((upperNs - lowerNs) / 2));
        _upper.Record(upperNs);
    }

    /// <summary>
    /// Keys that never got a delay: they count as slower than all that did. Once, when all is recorded.
    /// </summary>
    /// <param name="asked">How many delays there should be.</param>
    public void CountMissing(long asked)
    {
        var recorded = Middle.BelowRange + Middle.TotalCount + Middle.AboveRange;
        foreach (var part in Parts)
            part.Total.AddMissing(Math.Max(0, asked - recorded));
    }

    private CollectedSeries Sum(string sum, int part) => new(sum, [.. shards.Select(shard => shard.Parts[part])]);
}
