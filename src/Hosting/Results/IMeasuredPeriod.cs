using RedisLatency.Reports.Records;

namespace RedisLatency.Hosting.Results;

/// <summary>What a service measured since its results folder was begun, while it goes on.</summary>
public interface IMeasuredPeriod
{
    /// <summary>
    /// Makes the record of the period that ends now, and begins the next: what one has, the other has not. On the
    /// thread that takes intervals, after one.
    /// </summary>
    /// <param name="untilNs">When it ends, in nanoseconds of the monotonic clock.</param>
    /// <returns>Null where nothing is measured so far: the period goes on.</returns>
    RunRecord? End(long untilNs);
}
