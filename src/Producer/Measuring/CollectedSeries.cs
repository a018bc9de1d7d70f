using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;

namespace RedisLatency.Producer.Measuring;

/// <summary>One series of all streams together: the last interval and the whole phase.</summary>
internal sealed class CollectedSeries(string name, Func<RoundTripSeries, LatencyRecorder> recorderOf)
{
    private readonly BlockedSeries _series = new();

    /// <summary>What it is called.</summary>
    public string Name { get; } = name;

    /// <summary>The last interval that was taken.</summary>
    public LatencyHistogram Interval => _series.Interval;

    /// <summary>All intervals so far.</summary>
    public LatencyHistogram Total => _series.Total;

    /// <summary>The same in blocks.</summary>
    public SampleBlocks Blocks => _series.Blocks;

    /// <summary>What the streams record from now on is of the next block.</summary>
    public void EndBlock(IReadOnlyList<RoundTripSeries> streams)
    {
        for (var i = 0; i < streams.Count; i++)
            recorderOf(streams[i]).EndInterval();
    }

    /// <summary>Takes what the streams recorded in the block that was ended, after a fence.</summary>
    public void TakeBlock(IReadOnlyList<RoundTripSeries> streams, TimeSpan duration)
    {
        for (var i = 0; i < streams.Count; i++)
            recorderOf(streams[i]).Collect(_series.Block);
        _series.EndBlock(duration);
    }

    /// <summary>The interval is over; it stays until the next block.</summary>
    public void EndInterval() => _series.EndInterval();

    /// <summary>Counts as missing what was due and has no value; once, when nothing more can come.</summary>
    /// <param name="due">How many values there would be had nothing been lost.</param>
    public void CountMissing(long due) =>
        Total.AddMissing(Math.Max(0, due - Total.TotalCount - Total.AboveRange - Total.BelowRange));
}
