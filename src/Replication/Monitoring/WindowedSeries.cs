using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.MetricSets;

namespace RedisLatency.Replication.Monitoring;

internal sealed class WindowedSeries(MetricSeries series)
{
    public MetricSeries Series => series;

    public LatencyHistogram Window { get; } = LatencyHistogram.ForLatency();
}
