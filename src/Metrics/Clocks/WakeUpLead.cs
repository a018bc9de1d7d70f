namespace RedisLatency.Metrics.Clocks;

/// <summary>
/// How long before something is due a thread stops to wait in the kernel for it, and reads the clock instead: what nine
/// in ten of its wake-ups take. Machines differ by a factor of five, so that each thread learns it from its own.
/// </summary>
public sealed class WakeUpLead
{
    private const long LeastNs = 50_000;
    private const long MostNs = 150_000;

    // One up for nine down: it rests where one wake-up of ten takes longer.
    private const long UpNs = 450;
    private const long DownNs = 50;

    /// <summary>In nanoseconds, from 50 to 150 µs.</summary>
    public long Ns { get; private set; } = LeastNs;

    /// <summary>Tells of a wait until a moment, and when it ended; what ends one earlier says nothing.</summary>
    public void Learn(long untilNs, long endedNs)
    {
        if (endedNs >= untilNs)
            Ns = Math.Clamp(Ns + (endedNs - untilNs > Ns ? UpNs : -DownNs), LeastNs, MostNs);
    }

    /// <summary>
    /// Waits in the kernel until shortly before it is due, or until it shall end, which it notices soon.
    /// </summary>
    /// <returns>Whether it shall go on.</returns>
    public bool TryWaitFor(long dueNs, CancellationToken end)
    {
        var untilNs = dueNs - Ns;
        if (MonotonicClock.NowNs() >= untilNs)
            return !end.IsCancellationRequested;
        var goesOn = Pacer.TryWaitUntil(untilNs, end);
        Learn(untilNs, MonotonicClock.NowNs());
        return goesOn;
    }
}
