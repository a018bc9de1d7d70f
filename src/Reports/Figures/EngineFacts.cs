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

    /// <summary>
    /// Reads that were for replicas and went to a primary, because none was up; null where another tool does not say,
    /// as every count below.
    /// </summary>
    public long? ReadsOfPrimary { get; init; }

    /// <summary>The servers that became primaries meanwhile, in order.</summary>
    public IReadOnlyList<PrimaryChange> PrimaryChanges { get; init; } = [];

    /// <summary>Threads.</summary>
    public required int Threads { get; init; }

    /// <summary>Connections of each thread.</summary>
    public required int ConnectionsPerThread { get; init; }

    /// <summary>Operations in flight on a connection, at most; null where another tool does not say.</summary>
    public int? Pipeline { get; init; }

    /// <summary>
    /// The largest share of its time that a thread was busy; above 0.9 the tool may be the limit. Of a client library
    /// it is the share of all processors that the process used.
    /// </summary>
    public double? BusyShare { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>
    /// CPU time for each measured operation, user and system, in nanoseconds: of the threads that drive them, or where
    /// those are not known of the whole process. The warm-up's is not in it; of an open loop, the spinning for the
    /// schedule is.
    /// </summary>
    public double? CpuPerOperationNs { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>Whether that time is of the whole process.</summary>
    public bool IsCpuOfProcess { get; init; }

    /// <summary>Bytes that the threads, or the whole process, allocated for each measured operation.</summary>
    public double? AllocatedBytesPerOperation { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>
    /// Of one core, the share that the server used, of several the busiest; null where it cannot be read.
    /// </summary>
    public double? ServerCpuShare { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>Bytes sent, the warm-up's too; null where a client library does not tell.</summary>
    public long? BytesSent { get; init; }

    /// <summary>Bytes received, the warm-up's too; null where a client library does not tell.</summary>
    public long? BytesReceived { get; init; }

    /// <summary>Operations that were due while no connection had room.</summary>
    public long? HeldBack { get; init; }

    /// <summary>Connections lost.</summary>
    public long? ConnectionsLost { get; init; }

    /// <summary>Connections opened again.</summary>
    public long? Reconnected { get; init; }

    /// <summary>Connections that were closed and opened again on purpose, after so many requests.</summary>
    public long? Renewed { get; init; }

    /// <summary>Connections that were opened beside the others and sent nothing.</summary>
    public int? IdleConnections { get; init; }

    /// <summary>How many of those the server had closed by the end.</summary>
    public int? IdleClosed { get; init; }

    /// <summary>
    /// Times that a server said what was no reply to what it was asked, after which its connection was closed.
    /// </summary>
    public long? Contradictions { get; init; }

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
