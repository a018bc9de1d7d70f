using RedisLatency.Hosting.Results;
using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Hosting.Live;

/// <summary>
/// What a service measures and counts, as its <see cref="IntervalReporter"/> asks for it: on the reporter's thread,
/// once per interval, without allocating.
/// </summary>
public interface IIntervalSource
{
    /// <summary>
    /// Takes what was recorded since the last block: several times per interval at first, so that a short run has
    /// blocks enough; never less often than once, at its end.
    /// </summary>
    void TakeBlock(TimeSpan duration);

    /// <summary>
    /// Ends the interval, whose last block has just been taken, and writes its series to the interval log.
    /// </summary>
    void Take(in TakenInterval interval);

    /// <summary>Fills in what the live view shows of it; the tool's own figures are already there.</summary>
    void Describe(in TakenInterval interval, ref LiveSnapshot snapshot);
}

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
