using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Replication.Links;

/// <summary>How many bytes of the stream of replication a destination had not processed, at the most.</summary>
internal sealed record LagBytes(long Samples, double Mean, long Most)
{
    /// <summary>What thresholds may ask for.</summary>
    public static IReadOnlyList<(Metric Metric, Func<LagBytes, double> Value)> Known { get; } =
        [(ReplicationLag.Mean, lag => lag.Mean), (ReplicationLag.Max, lag => lag.Most)];

    public IReadOnlyList<RecordedMetric> Rows =>
    [
        .. Known.Select(one => RecordedMetric.Of(one.Metric, one.Value(this))),
        RecordedMetric.Of(ReplicationLag.Samples, Samples),
    ];
}
