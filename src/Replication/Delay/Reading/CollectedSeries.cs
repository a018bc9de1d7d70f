using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Recording;

namespace RedisLatency.Replication.Delay.Reading;

/// <summary>A series: its last interval and the whole session.</summary>
internal sealed class CollectedSeries(string name, params IReadOnlyList<LatencyRecorder> recorders)
{
    /// <summary>What it is called, and its tag in the interval log.</summary>
    public string Name { get; } = name;

    /// <summary>The last interval that was taken.</summary>
    public LatencyHistogram Interval { get; } = LatencyHistogram.ForLatency();

    /// <summary>All intervals so far.</summary>
    public LatencyHistogram Total { get; } = LatencyHistogram.ForLatency();

    /// <summary>Takes what was recorded since the last time.</summary>
    public void TakeInterval()
    {
        Interval.Reset();
        for (var i = 0; i < recorders.Count; i++)
            recorders[i].TakeInterval(Interval);
        Total.Add(Interval);
    }
}
