using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Recording;

namespace RedisLatency.Replication.Delay.Reading;

/// <summary>A series: its last interval and the whole session.</summary>
internal sealed class CollectedSeries
{
    private readonly IReadOnlyList<LatencyRecorder> _recorders;
    private readonly IReadOnlyList<CollectedSeries> _parts;

    /// <summary>What was recorded, by all recorders together.</summary>
    public CollectedSeries(string name, params IReadOnlyList<LatencyRecorder> recorders) =>
        (Name, _recorders, _parts) = (name, recorders, []);

    /// <summary>All parts together; taking its interval takes theirs.</summary>
    public CollectedSeries(string name, IReadOnlyList<CollectedSeries> parts) =>
        (Name, _recorders, _parts) = (name, [], parts);

    /// <summary>What it is called, and its tag in the interval log.</summary>
    public string Name { get; }

    /// <summary>The last interval that was taken.</summary>
    public LatencyHistogram Interval { get; } = LatencyHistogram.ForLatency();

    /// <summary>All intervals so far.</summary>
    public LatencyHistogram Total { get; } = LatencyHistogram.ForLatency();

    /// <summary>Takes what was recorded since the last time.</summary>
    public void TakeInterval()
    {
        Interval.Reset();
        for (var i = 0; i < _recorders.Count; i++)
            _recorders[i].TakeInterval(Interval);
        for (var i = 0; i < _parts.Count; i++)
        {
            _parts[i].TakeInterval();
            Interval.Add(_parts[i].Interval);
        }

        Total.Add(Interval);
    }
}
