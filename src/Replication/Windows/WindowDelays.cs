using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Replication.Windows;

/// <summary>
/// The delays of a window as it ends. Heartbeats that have been waited for longer than any took that was seen in it are
/// among them: as slower than all that were seen, of which the least is known.
/// </summary>
internal sealed class WindowDelays
{
    /// <summary>The least that they can be.</summary>
    public LatencyHistogram Least { get; } = LatencyHistogram.ForLatency();

    /// <summary>The middles.</summary>
    public LatencyHistogram Middle { get; } = LatencyHistogram.ForLatency();

    /// <summary>The most that they can be.</summary>
    public LatencyHistogram Most { get; } = LatencyHistogram.ForLatency();

    /// <summary>Takes what was recorded, and nothing that is waited for.</summary>
    public void Take(WindowedSeries least, WindowedSeries middle, WindowedSeries most)
    {
        foreach (var (part, series) in ((LatencyHistogram, WindowedSeries)[])[(Least, least), (Middle, middle), (Most, most)])
        {
            part.Reset();
            part.Add(series.Window);
        }
    }

    /// <summary>Adds one that is overdue.</summary>
    public void AddWaiting(long waitedNs)
    {
        Least.Record(waitedNs);
        Middle.AddMissing(1);
        Most.AddMissing(1);
    }
}
