using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Summaries;

/// <summary>The lag in bytes, in words.</summary>
internal static class LagText
{
    /// <summary>Null where the two ends are not of one stream, or do not report it.</summary>
    public static string? Of(RunSummary summary, string name) =>
        (summary.Metrics.Value(ReplicationLag.Mean), summary.Count(ReplicationLag.Max)) is ({ } mean, { } most)
            ? $"{name} {Quantity.Count((long)Math.Round(mean))} bytes, most {Quantity.Count(most)}"
            : null;
}
