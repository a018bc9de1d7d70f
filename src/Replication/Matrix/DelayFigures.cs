using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Replication.Matrix;

/// <summary>The three figures of a pair of regions, in nanoseconds.</summary>
/// <param name="Average">The mean; null without keys.</param>
/// <param name="P95">The 95th percentile; null where fewer than ten keys lie above it.</param>
/// <param name="P99">The 99th percentile; null likewise.</param>
internal sealed record DelayFigures(double? Average, double? P95, double? P99)
{
    /// <summary>Figures in milliseconds, as they are published.</summary>
    public static DelayFigures OfMilliseconds(double average, double p95, double p99) =>
        new(average * 1e6, p95 * 1e6, p99 * 1e6);

    /// <summary>The figures of what was measured.</summary>
    public static DelayFigures Of(LatencyHistogram delays) => new(
        delays.TotalCount == 0 ? null : delays.Mean,
        PercentileRow.Of(delays, 95).Value,
        PercentileRow.Of(delays, 99).Value);
}
