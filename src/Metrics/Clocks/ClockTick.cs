namespace RedisLatency.Metrics.Clocks;

/// <summary>
/// By how much <see cref="MonotonicClock"/> goes on at a time: a stamp is off by as much. Tens of nanoseconds, as long
/// as a reading takes, where the clock is the processor's own; 100 ns on Windows, milliseconds where it is emulated.
/// </summary>
public static class ClockTick
{
    private const int Readings = 10_000;
    private const long LongestNs = 100_000_000;

    /// <summary>
    /// The smallest step of 10,000 readings, and of as many more as it takes to see one, in nanoseconds.
    /// </summary>
    public static long MeasureNs()
    {
        var start = MonotonicClock.NowNs();
        return MeasureNs(MonotonicClock.NowNs, () => MonotonicClock.NowNs() - start > LongestNs);
    }

    internal static long MeasureNs(Func<long> read, Func<bool> isOver)
    {
        var (least, last) = (long.MaxValue, read());
        for (var reading = 0; reading < Readings || (least == long.MaxValue && !isOver()); reading++)
        {
            var now = read();
            if (now > last)
                least = Math.Min(least, now - last);
            last = now;
        }

        return least == long.MaxValue ? LongestNs : least;
    }
}
