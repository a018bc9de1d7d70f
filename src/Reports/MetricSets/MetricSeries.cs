using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Reports.MetricSets;

/// <summary>A series of durations in a <see cref="MetricSet"/>: its last interval and all so far.</summary>
public sealed class MetricSeries
{
    private readonly IReadOnlyList<LatencyRecorder> _recorders;
    private readonly IReadOnlyList<MetricSeries> _parts;
    private readonly BlockedSeries _series = new();
    private bool _hasParts;

    /// <summary>What was recorded, by all recorders together.</summary>
    public MetricSeries(Metric metric, params IReadOnlyList<LatencyRecorder> recorders) =>
        (Metric, _recorders, _parts) = (metric, recorders, []);

    /// <summary>All parts together, which must be taken by the same set.</summary>
    public MetricSeries(Metric metric, IReadOnlyList<MetricSeries> parts) =>
        (Metric, _recorders, _parts) = (metric, [], parts);

    /// <summary>What it is.</summary>
    public Metric Metric { get; }

    /// <summary>Whether others of the set have it all.</summary>
    public bool IsSum => _parts.Count > 0;

    /// <summary>The last interval that was taken.</summary>
    public LatencyHistogram Interval => _series.Interval;

    /// <summary>All intervals so far.</summary>
    public LatencyHistogram Total => _series.Total;

    /// <summary>The same in blocks.</summary>
    public SampleBlocks Blocks => _series.Blocks;

    /// <summary>
    /// How many have no value so far, and what the slowest of them took at least, for who reads the sums while the run
    /// goes on: a message that comes late has a value after all. Null where that is known at the end only. Asked with
    /// each interval, on the reporter's thread.
    /// </summary>
    public Func<(long Count, long AtLeast)>? MissingSoFar { get; set; }

    /// <summary>Counts as missing what was due and has no value; when nothing more can come.</summary>
    /// <param name="due">How many values there would be had nothing been lost.</param>
    public void CountMissing(long due) =>
        Total.SetMissing(
            Math.Max(0, due - Total.TotalCount - Total.AboveRange - Total.BelowRange),
            MissingSoFar?.Invoke().AtLeast ?? 0);

    internal void EndRecording()
    {
        for (var i = 0; i < _recorders.Count; i++)
            _recorders[i].EndInterval();
    }

    internal void Collect()
    {
        for (var i = 0; i < _recorders.Count; i++)
            _recorders[i].Collect(_series.Block);
    }

    internal void AddParts()
    {
        if (_hasParts)
            return;
        _hasParts = true;
        for (var i = 0; i < _parts.Count; i++)
        {
            // A part may be a sum itself, that comes later in the set.
            _parts[i].AddParts();
            _series.Block.Add(_parts[i]._series.Block);
        }
    }

    internal void EndBlock(TimeSpan duration)
    {
        _series.EndBlock(duration);
        _hasParts = false;
    }

    internal void EndInterval()
    {
        _series.EndInterval();
        if (MissingSoFar?.Invoke() is var (count, atLeast))
            Total.SetMissing(Math.Max(0, count), atLeast);
    }
}
