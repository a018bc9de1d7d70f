using RedisLatency.Metrics.Histograms;
using RedisLatency.Replication.Figures;

namespace RedisLatency.Replication.Windows;

/// <summary>A series: its last second, its window so far, and the whole run.</summary>
internal sealed class WindowedSeries(CollectedSeries series)
{
    /// <summary>What it is called, and its tag in the interval log.</summary>
    public string Name => series.Name;

    /// <summary>The last second or so.</summary>
    public LatencyHistogram Interval => series.Interval;

    /// <summary>The window so far.</summary>
    public LatencyHistogram Window { get; } = LatencyHistogram.ForLatency();

    /// <summary>All of the run.</summary>
    public LatencyHistogram Total => series.Total;

    /// <summary>The series itself.</summary>
    public CollectedSeries Series => series;

    /// <summary>Takes what was recorded since the last time.</summary>
    public void Take(TimeSpan duration)
    {
        series.TakeBlock(duration);
        series.EndInterval();
        Window.Add(series.Interval);
    }
}
