using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Replication.Links;

/// <summary>How many bytes of the stream of replication a destination had not processed, at the most.</summary>
internal sealed record LagBytes(long Samples, double Mean, long Most)
{
    public IReadOnlyList<RecordedMetric> Rows =>
    [
        RecordedMetric.Of(ReplicationLag.Mean, Mean), RecordedMetric.Of(ReplicationLag.Max, Most),
        RecordedMetric.Of(ReplicationLag.Samples, Samples),
    ];
}
