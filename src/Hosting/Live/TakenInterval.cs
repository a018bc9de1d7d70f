using RedisLatency.Hosting.Results;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Hosting.Live;

/// <summary>An interval that has just ended, and the log it goes to; start and end in UTC.</summary>
public readonly record struct TakenInterval(
    IntervalLogFile Log, DateTimeOffset Start, DateTimeOffset End, long EndNs, TimeSpan Duration)
{
    /// <summary>Writes one series of the interval to the log.</summary>
    public void Write(string tag, LatencyHistogram histogram) => Log.Write(tag, Start, Duration, histogram);
}
