using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.Records;

/// <summary>What was measured on one target, or for one producer.</summary>
public sealed record RunSummary
{
    /// <summary>Whose: the name of the target or of the producer.</summary>
    public required string Name { get; init; }

    /// <summary>Who answered, or whom this served: as they called themselves.</summary>
    public IReadOnlyList<string> Peers { get; init; } = [];

    /// <summary>
    /// When that began, by the wall clock; null where it is not known, or was no one stretch: two servers in turns.
    /// </summary>
    public DateTimeOffset? StartUtc { get; init; }

    /// <summary>
    /// How long messages were sent, or served, in nanoseconds; of several processes from the first start to the last
    /// end, and null where these are not known.
    /// </summary>
    public long? DurationNs { get; init; }

    /// <summary>What was counted, and other numbers: of all, and with labels of parts.</summary>
    public IReadOnlyList<RecordedMetric> Metrics { get; init; } = [];

    /// <summary>How fast they went.</summary>
    public MessageRates Rates { get; init; } = new();

    /// <summary>Latencies, each by its name.</summary>
    public IReadOnlyList<LatencySeries> Latencies { get; init; } = [];

    /// <summary>One-way latency, for each consumer that answered.</summary>
    public IReadOnlyList<OneWayPair> OneWay { get; init; } = [];

    /// <summary>Why there is no one-way latency; null where there is.</summary>
    public string? NoOneWayBecause { get; init; }

    /// <summary>How a replication's delay was found out; null where none was measured.</summary>
    public ReplicationDelay? Delay { get; init; }

    /// <summary>What a synchronisation carried over; null where nothing was.</summary>
    public SyncResult? Sync { get; init; }

    /// <summary>What a comparison of two servers found; null where there was none.</summary>
    public VerifyResult? Verify { get; init; }

    /// <summary>What a workload did, for each of its phases; null for other roles.</summary>
    public WorkloadResult? Workload { get; init; }

    /// <summary>How many there were, of all or of one operation; null where that is not known.</summary>
    public long? Count(Metric metric, string? operation = null) => Metrics.Count(metric, operation);
}
