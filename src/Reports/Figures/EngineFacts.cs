namespace RedisLatency.Reports.Figures;

/// <summary>What drove the operations of a phase, and how hard it had to work.</summary>
public sealed record EngineFacts
{
    /// <summary>
    /// Whether a client library drove the operations, as in an application: the threads are then its
    /// multiplexers, and connections times pipeline the callers of each.
    /// </summary>
    public bool IsClientLibrary { get; init; }

    /// <summary>The event loop that was used, or the client library with its version.</summary>
    public required string Loop { get; init; }

    /// <summary>
    /// Whether keys went to the cluster node that has their slot; what the server says is then of the first node only.
    /// </summary>
    public bool IsCluster { get; init; }

    /// <summary>replica or any, where commands that only read were sent there; null for the primary.</summary>
    public string? ReadFrom { get; init; }

    /// <summary>What was sent to each server, where there are several or Sentinels say which; else empty.</summary>
    public IReadOnlyList<ServerShare> Servers { get; init; } = [];

    /// <summary>The servers that became primaries meanwhile, in order.</summary>
    public IReadOnlyList<PrimaryChange> PrimaryChanges { get; init; } = [];

    /// <summary>Threads.</summary>
    public required int Threads { get; init; }

    /// <summary>Connections of each thread.</summary>
    public required int ConnectionsPerThread { get; init; }

    /// <summary>Operations in flight on a connection, at most; null where another tool does not say.</summary>
    public int? Pipeline { get; init; }

    /// <summary>Whether the CPU time of an operation is of the whole process.</summary>
    public bool IsCpuOfProcess { get; init; }

    /// <summary>
    /// Errors by their first word with which servers refused connections that were to be opened again.
    /// </summary>
    public IReadOnlyDictionary<string, long> Refusals { get; init; } = new Dictionary<string, long>();

    /// <summary>The first of these as it came, for each first word.</summary>
    public IReadOnlyDictionary<string, string> RefusalExamples { get; init; } = new Dictionary<string, string>();
}

/// <summary>Another server became a primary during a phase: a failover, or one that was added.</summary>
public sealed record PrimaryChange
{
    /// <summary>When that was noticed, in nanoseconds since measuring began; negative in the warm-up.</summary>
    public required long AtNs { get; init; }

    /// <summary>Who was it before; null where nobody was.</summary>
    public string? From { get; init; }

    /// <summary>The new primary.</summary>
    public required string To { get; init; }
}
