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

    /// <summary>All blocks so far.</summary>
    public LatencyHistogram Total { get; } = LatencyHistogram.ForLatency();

    /// <summary>The same in blocks, by which its percentiles have intervals.</summary>
    public SampleBlocks Blocks { get; } = new();

    /// <summary>Counts the block, which is empty then.</summary>
    public void EndBlock(TimeSpan duration)
    {
        if (_isIntervalOver)
            Interval.Reset();
        _isIntervalOver = false;
        Blocks.Move(Block, duration, Interval, Total);
    }

    /// <summary>The next block begins another interval.</summary>
    public void EndInterval() => _isIntervalOver = true;
}
