namespace RedisLatency.Redis.StackExchange;

/// <summary>What one thread sleeps on until another has something for it. A set signal lets one wait through.</summary>
internal abstract class WakeSignal : IDisposable
{
    /// <summary>The finest that this system has; <c>REDISLATENCY_PORTABLE=1</c> forces the portable one.</summary>
    public static WakeSignal Create() =>
        OperatingSystem.IsLinux() && Environment.Is64BitProcess
        && Environment.GetEnvironmentVariable("REDISLATENCY_PORTABLE") != "1"
            ? new EventFileSignal()
            : new PortableSignal();

    /// <summary>Wakes the thread that waits, or the next that will; harmless after <see cref="Dispose"/>.</summary>
    public abstract void Set();

    /// <summary>Sleeps until the signal is set or the time has come; may return early.</summary>
    public abstract void Wait(long untilTimestamp);

    public abstract void Dispose();
}
