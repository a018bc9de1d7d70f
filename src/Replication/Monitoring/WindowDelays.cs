using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Replication.Monitoring;

/// <summary>The delays of a window; heartbeats overdue longer than the slowest that was seen count as slower.</summary>
internal sealed class WindowDelays
{
    public LatencyHistogram Least { get; } = LatencyHistogram.ForLatency();
    public LatencyHistogram Middle { get; } = LatencyHistogram.ForLatency();
    public LatencyHistogram Most { get; } = LatencyHistogram.ForLatency();

    public void Take(IReadOnlyList<WindowedSeries> leastMiddleMost)
    {
        foreach (var (part, series) in new[] { Least, Middle, Most }.Zip(leastMiddleMost))
        {
            part.Reset();
            part.Add(series.Window);
        }
    }

    public void AddWaiting(long waitedNs)
    {
        Least.Record(waitedNs);
        Middle.AddMissing(1);
        Most.AddMissing(1);
    }
}
