using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Replication.Figures;

internal sealed class CollectedSeries
{
    private readonly IReadOnlyList<LatencyRecorder> _recorders;
    private readonly IReadOnlyList<CollectedSeries> _parts;
    private readonly BlockedSeries _series = new();

    public CollectedSeries(string name, params IReadOnlyList<LatencyRecorder> recorders) =>
        (Name, _recorders, _parts) = (name, recorders, []);

    public CollectedSeries(string name, IReadOnlyList<CollectedSeries> parts) =>
        (Name, _recorders, _parts) = (name, [], parts);

    public string Name { get; }

    public LatencyHistogram Interval => _series.Interval;

    public LatencyHistogram Total => _series.Total;

    public SampleBlocks Blocks => _series.Blocks;

    public void TakeBlock(TimeSpan duration)
    {
        Collect();
        EndBlock(duration);
    }

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
