using RedisLatency.Hosting.Results;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Hosting.Live;

/// <summary>An interval that has just ended, and the log it goes to.</summary>
/// <param name="Log">The run's interval log.</param>
/// <param name="Start">When it began, in UTC.</param>
/// <param name="End">When it ended.</param>
/// <param name="EndNs">The same on the monotonic clock, in nanoseconds.</param>
/// <param name="Duration">How long it was by the monotonic clock.</param>
public readonly record struct TakenInterval(
    IntervalLogFile Log, DateTimeOffset Start, DateTimeOffset End, long EndNs, TimeSpan Duration)
{
    /// <summary>Writes one series of the interval to the log.</summary>
    public void Write(string tag, LatencyHistogram histogram) => Log.Write(tag, Start, Duration, histogram);
}
