using RedisLatency.Hosting.Thresholds;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Replication.Heartbeat.Alerts;

/// <summary>The least that delays can be, for thresholds that limit them from above.</summary>
internal sealed class LeastDelays(LatencyHistogram least) : IThresholdSource
{
    /// <inheritdoc/>
    public ThresholdReading? Find(Threshold threshold) =>
        threshold.Statistic is { } statistic ? ThresholdReading.Of(least, statistic) : null;
}
