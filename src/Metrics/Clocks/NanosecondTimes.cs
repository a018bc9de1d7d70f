namespace RedisLatency.Metrics.Clocks;

/// <summary>
/// Between .NET's times, which count in 100 ns, and the nanoseconds in which everything is measured here.
/// </summary>
public static class NanosecondTimes
{
    extension(TimeSpan duration)
    {
        /// <summary>The whole of it, in nanoseconds: exact.</summary>
        public long InNanoseconds => duration.Ticks * TimeSpan.NanosecondsPerTick;

        /// <summary>The time that so many nanoseconds are, without the last of them that do not fill 100.</summary>
        public static TimeSpan FromNanoseconds(long nanoseconds) => new(nanoseconds / TimeSpan.NanosecondsPerTick);
    }
}
