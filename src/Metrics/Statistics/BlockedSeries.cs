using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Statistics;

/// <summary>
/// A series on the reporter's thread: what came lately (a block, a part of a second), the interval (a second) and all
/// so far. Allocates nothing once it is made.
/// </summary>
public sealed class BlockedSeries
{
    private bool _isIntervalOver;

    /// <summary>What came since the last block: recorders add to it before <see cref="EndBlock"/>.</summary>
    public LatencyHistogram Block { get; } = LatencyHistogram.ForLatency();

    /// <summary>The interval that is under way or, until the next block, over.</summary>
    public LatencyHistogram Interval { get; } = LatencyHistogram.ForLatency();

    /// <summary>All intervals that are over.</summary>
    public LatencyHistogram Total { get; } = LatencyHistogram.ForLatency();

    /// <summary>The same in blocks, by which its percentiles have intervals.</summary>
    public SampleBlocks Blocks { get; } = new();

    /// <summary>Counts the block, which is empty then.</summary>
    public void EndBlock(TimeSpan duration)
    {
        if (_isIntervalOver)
            Interval.Reset();
        _isIntervalOver = false;
        Blocks.Move(Block, duration, Interval);
    }

    /// <summary>Counts the interval; the next block begins another.</summary>
    public void EndInterval()
    {
        // Once a second, not with each block: most of a block's cost are the places of large histograms it touches.
        if (!_isIntervalOver)
            Total.Add(Interval);
        _isIntervalOver = true;
    }
}
