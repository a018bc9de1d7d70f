using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Probe;

/// <summary>Delays as intervals: from sending the last poll that missed the key to the answer that held it.</summary>
internal sealed class DelaySeries(Metric metric, DelaySeries? leader, params IReadOnlyList<DelaySeries> shards)
{
    private readonly LatencyRecorder _lower = Recorder(leader?._lower);
    private readonly LatencyRecorder _middle = Recorder(leader?._middle);
    private readonly LatencyRecorder _upper = Recorder(leader?._upper);

    public Metric Metric { get; } = metric;

    public IReadOnlyList<MetricSeries> Parts => field ??=
    [
        Part(0, End(Measured.LowerOf(Metric.Name)), _lower), Part(1, Metric with { Column = LiveColumn.None }, _middle),
        Part(2, End(Measured.UpperOf(Metric.Name)) with { Column = Metric.Column }, _upper),
    ];

    public LatencyRecorder Uppers => _upper;

    public LatencyHistogram Lower => Parts[0].Total;

    public LatencyHistogram Middle => Parts[1].Total;

    public LatencyHistogram Upper => Parts[2].Total;

    // Of the same keys the follower has delays that are longer by so much.
    public void Record(long lowerNs, long upperNs, DelaySeries follower, long moreNs)
    {
        var middleNs = lowerNs + ((upperNs - lowerNs) / 2);
        _lower.Record(lowerNs, follower._lower, lowerNs + moreNs);
        _middle.Record(middleNs, follower._middle, middleNs + moreNs);
        _upper.Record(upperNs, follower._upper, upperNs + moreNs);
    }

    private static LatencyRecorder Recorder(LatencyRecorder? leader) => leader is null ? new() : new(leader);

    private Metric End(string name) => Metric with { Name = name, Column = LiveColumn.None };

    private MetricSeries Part(int part, Metric metric, LatencyRecorder recorder) => shards.Count == 0
        ? new(metric, recorder)
        : new(metric, [.. shards.Select(shard => shard.Parts[part])]);
}

internal static class DelayRows
{
    public static IReadOnlyList<LatencySeries> Of(IEnumerable<MetricSeries> measured)
    {
        var all = measured.ToDictionary(one => one.Metric.Name);
        return [.. all.Values.Select(RowOf)];

        LatencySeries RowOf(MetricSeries one) => one.Metric.Name switch
        {
            var name when all.TryGetValue(Measured.LowerOf(name), out var least) => DelayInterval.Series(
                name, least.Total, one.Total, all[Measured.UpperOf(name)].Total, one.Blocks),
            var name when name.Split('-')[0] == DelayMetrics.Delay.Name => DelayInterval.End(
                name, one.Total, one.Blocks),
            var name => LatencySeries.Of(name, PercentileTable.Of(one.Total, one.Blocks)),
        };
    }
}
