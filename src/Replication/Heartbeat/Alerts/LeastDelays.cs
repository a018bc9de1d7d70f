using RedisLatency.Hosting.Thresholds;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Replication.Heartbeat.Alerts;

/// <summary>The least that delays can be, for thresholds that limit them from above.</summary>
/// <param name="least">They.</param>
/// <param name="errorNs">How far they may be off because of the clocks, in nanoseconds.</param>
internal sealed class LeastDelays(LatencyHistogram least, long errorNs) : IThresholdSource
{
    /// <inheritdoc/>
    public ThresholdReading? Find(Threshold threshold) =>
        threshold.Statistic is { } statistic ? ThresholdReading.Of(least, statistic) with { Error = errorNs } : null;
}
