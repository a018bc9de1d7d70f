using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Reports.Merging;

/// <summary>
/// One series of all parts: what began within a second is one interval, which is over when one of another second comes.
/// Of each series that one interval is in memory, and all of it.
/// </summary>
/// <param name="log">Takes the intervals; null where the log has the parts that this is the sum of.</param>
/// <param name="tag">What it is called there.</param>
/// <param name="origin">What seconds are counted from.</param>
internal sealed class MergedSeries(IntervalLogWriter? log, string tag, DateTimeOffset origin)
{
    private readonly LatencyHistogram _interval = LatencyHistogram.ForLatency();
    private readonly SampleBlocks _blocks = new();
    private TimeSpan _length;
    private long? _second;

    /// <summary>All that was recorded, once every interval is over.</summary>
    public LatencyHistogram Total { get; } = LatencyHistogram.ForLatency();

    public void Add(LoggedInterval part)
    {
        // Hosts do not begin at the same moment, nor do their seconds last equally long.
        var second = (long)Math.Round((part.Start - origin) / TimeSpan.FromSeconds(1), MidpointRounding.AwayFromZero);
        if (second != _second)
            End();
        _second = second;
        _length = part.Length > _length ? part.Length : _length;
        _interval.Add(part.Histogram);
    }

    /// <summary>No more of its second will come; what does begins another interval of it.</summary>
    public void End()
    {
        if (_second is not { } second)
            return;
        log?.Write(tag.Length == 0 ? null : tag, origin + TimeSpan.FromSeconds(second), _length, _interval);
        _blocks.Move(_interval, _length, Total);
        (_second, _length) = (null, TimeSpan.Zero);
    }

    /// <summary>Its figures, with what has no value.</summary>
    public PercentileTable Table(long missing, long missingAtLeast)
    {
        Total.SetMissing(missing, missingAtLeast);
        return PercentileTable.Of(Total, _blocks);
    }
}
