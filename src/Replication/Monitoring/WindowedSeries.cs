using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Monitoring;

/// <summary>A series and what it recorded since the window began.</summary>
internal sealed class WindowedSeries(MetricSeries series)
{
    public MetricSeries Series => series;

    public LatencyHistogram Window { get; } = LatencyHistogram.ForLatency();
}
