using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Reports.MetricSets;

/// <summary>A series of durations in a <see cref="MetricSet"/>: its last interval and all so far.</summary>
public sealed class MetricSeries
{
    private readonly IReadOnlyList<LatencyRecorder> _recorders;
    private readonly IReadOnlyList<MetricSeries> _parts;

    // What came since the last block, a part of the interval.
    private readonly LatencyHistogram _block;
    private LatencyHistogram? _period;
    private (long Count, long AtLeast) _missingBefore;
    private bool _isIntervalOver;
    private bool _hasParts;

    /// <summary>What was recorded, by all recorders together.</summary>
    public MetricSeries(Metric metric, params IReadOnlyList<LatencyRecorder> recorders)
        : this(metric, recorders, [])
    {
    }

    /// <summary>All parts together, which must be taken by the same set.</summary>
    public MetricSeries(Metric metric, IReadOnlyList<MetricSeries> parts)
        : this(metric, [], parts)
    {
    }

    private MetricSeries(
        Metric metric, IReadOnlyList<LatencyRecorder> recorders, IReadOnlyList<MetricSeries> parts)
    {
        (Metric, _recorders, _parts) = (metric, recorders, parts);
        (_block, Interval, Total) =
            (LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency(), LatencyHistogram.ForLatency());
        Blocks = new SampleBlocks();
    }

    // A period of another, whose memory it shares.
    private MetricSeries(MetricSeries whole, LatencyHistogram period) =>
        (Metric, _recorders, _parts, _block, Interval, Total, Blocks) =
            (whole.Metric, [], [], whole._block, whole.Interval, period, whole.Blocks);

    public Metric Metric { get; }

    /// <summary>Whether others of the set have it all.</summary>
    public bool IsSum => _parts.Count > 0;

    /// <summary>The interval that is under way or, until the next block, over.</summary>
    public LatencyHistogram Interval { get; }

    /// <summary>All intervals that are over.</summary>
    public LatencyHistogram Total { get; }

    /// <summary>The same in blocks, by which its percentiles have intervals; with periods, of the last one.</summary>
    public SampleBlocks Blocks { get; }

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

    internal bool IsSumOf(MetricSeries part) => _parts.Contains(part);

    internal void BeginPeriods() => _period ??= LatencyHistogram.ForLatency();

    // Valid until the next period begins.
    internal MetricSeries OfPeriod()
    {
        var period = _period ?? throw new InvalidOperationException("There are no periods.");
        var missing = Math.Max(0, Total.Missing - _missingBefore.Count);
        // How long one was waited for is known of the whole alone: longer than before is of this period.
        var atLeast = Total.MissingAtLeast > _missingBefore.AtLeast ? Total.MissingAtLeast : 0;
        period.SetMissing(missing, atLeast);
        return new MetricSeries(this, period);
    }

    internal void BeginNextPeriod()
    {
        _missingBefore = (Total.Missing, Total.MissingAtLeast);
        _period?.Reset();
        Blocks.Reset();
    }

    internal void EndRecording()
    {
        for (var i = 0; i < _recorders.Count; i++)
            _recorders[i].EndInterval();
    }

    internal void Collect()
    {
        for (var i = 0; i < _recorders.Count; i++)
            _recorders[i].Collect(_block);
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
            _block.Add(_parts[i]._block);
        }
    }

    internal void EndBlock(TimeSpan duration)
    {
        if (_isIntervalOver)
            Interval.Reset();
        Blocks.Move(_block, duration, Interval);
        (_isIntervalOver, _hasParts) = (false, false);
    }

    internal void EndInterval()
    {
        // Once a second, not with each block: most of a block's cost are the places of large histograms it touches.
        if (!_isIntervalOver)
        {
            Total.Add(Interval);
            _period?.Add(Interval);
        }

        _isIntervalOver = true;
        if (MissingSoFar?.Invoke() is var (count, atLeast))
            Total.SetMissing(Math.Max(0, count), atLeast);
    }
}
