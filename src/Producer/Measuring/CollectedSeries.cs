using RedisLatency.Messaging.Sending;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Recording;

namespace RedisLatency.Producer.Measuring;

/// <summary>One series of all streams together: the last interval and the whole phase.</summary>
internal sealed class CollectedSeries(string name, Func<RoundTripSeries, LatencyRecorder> recorderOf)
{
    /// <summary>What it is called.</summary>
    public string Name { get; } = name;

    /// <summary>The last interval that was taken.</summary>
    public LatencyHistogram Interval { get; } = LatencyHistogram.ForLatency();

    /// <summary>All intervals so far.</summary>
    public LatencyHistogram Total { get; } = LatencyHistogram.ForLatency();

    /// <summary>Takes what the streams have recorded since the last time.</summary>
    public void TakeInterval(IReadOnlyList<RoundTripSeries> streams)
    {
        Interval.Reset();
        for (var i = 0; i < streams.Count; i++)
            recorderOf(streams[i]).TakeInterval(Interval);
        Total.Add(Interval);
    }

    /// <summary>Counts as missing what was due and has no value; once, when nothing more can come.</summary>
    /// <param name="due">How many values there would be had nothing been lost.</param>
    public void CountMissing(long due) =>
        Total.AddMissing(Math.Max(0, due - Total.TotalCount - Total.AboveRange - Total.BelowRange));
}
