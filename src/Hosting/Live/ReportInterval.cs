using System.Diagnostics;

namespace RedisLatency.Hosting.Live;

/// <summary>
/// One interval, as <see cref="Stopwatch.GetTimestamp"/> reads; intervals follow each other without a gap.
/// </summary>
/// <param name="FromTimestamp">When it began.</param>
/// <param name="ToTimestamp">When it ended.</param>
public readonly record struct ReportInterval(long FromTimestamp, long ToTimestamp)
{
    /// <summary>How long it really was.</summary>
    public TimeSpan Duration => Stopwatch.GetElapsedTime(FromTimestamp, ToTimestamp);
}
