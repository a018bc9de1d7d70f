using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Replication.Figures;

/// <summary>A series: its last interval and the whole session.</summary>
internal sealed class CollectedSeries
{
    private readonly IReadOnlyList<LatencyRecorder> _recorders;
    private readonly IReadOnlyList<CollectedSeries> _parts;
    private readonly BlockedSeries _series = new();

    /// <summary>What was recorded, by all recorders together.</summary>
    public CollectedSeries(string name, params IReadOnlyList<LatencyRecorder> recorders) =>
        (Name, _recorders, _parts) = (name, recorders, []);

    /// <summary>All parts together; taking its blocks takes theirs.</summary>
    public CollectedSeries(string name, IReadOnlyList<CollectedSeries> parts) =>
        (Name, _recorders, _parts) = (name, [], parts);

    /// <summary>What it is called, and its tag in the interval log.</summary>
    public string Name { get; }

    /// <summary>The last interval that was taken.</summary>
    public LatencyHistogram Interval => _series.Interval;

    /// <summary>All intervals so far.</summary>
    public LatencyHistogram Total => _series.Total;

    /// <summary>The same in blocks.</summary>
    public SampleBlocks Blocks => _series.Blocks;

    /// <summary>Takes what was recorded since the last time.</summary>
    public void TakeBlock(TimeSpan duration)
    {
        Collect();
        EndBlock(duration);
    }

    /// <summary>The interval is over; it stays until the next block.</summary>
    public void EndInterval()
    {
        _series.EndInterval();
        for (var i = 0; i < _parts.Count; i++)
            _parts[i].EndInterval();
    }

    private void Collect()
    {
        for (var i = 0; i < _recorders.Count; i++)
            _recorders[i].TakeInterval(_series.Block);
        for (var i = 0; i < _parts.Count; i++)
        {
            _parts[i].Collect();
            _series.Block.Add(_parts[i]._series.Block);
        }
    }

    private void EndBlock(TimeSpan duration)
    {
        _series.EndBlock(duration);
        for (var i = 0; i < _parts.Count; i++)
            _parts[i].EndBlock(duration);
    }
}
