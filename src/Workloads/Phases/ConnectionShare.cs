using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads.Phases;

/// <summary>How connections are shared out to threads.</summary>
/// <param name="Threads">Threads.</param>
/// <param name="PerThread">Connections of each.</param>
internal readonly record struct ConnectionShare(int Threads, int PerThread)
{
    private const int DefaultConnections = 50;

    /// <summary>All connections.</summary>
    public int Connections => Threads * PerThread;

    /// <summary>
    /// The share that options ask for. Clients are what YCSB calls threads: blocking ones with one connection each.
    /// Here as many threads share them evenly as half of the processors allow, the server's half left alone.
    /// </summary>
    public static ConnectionShare Of(PhaseOptions options, int processors)
    {
        if (options.Clients is not { } clients)
            return new ConnectionShare(options.Threads ?? 1, options.Connections ?? DefaultConnections);
        var threads = options.Threads ?? Math.Clamp(processors / 2, 1, clients);
        while (clients % threads != 0)
            threads--;
        return new ConnectionShare(threads, clients / threads);
    }
}
