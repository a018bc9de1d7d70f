using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.Options;

internal sealed class PhaseOptions
{
    /// <summary>The workload of YCSB; null where a mix or commands are given, or for the default, A.</summary>
    public YcsbWorkload? Workload { get; set; }

    public IReadOnlyList<MixPart> Mix { get; set; } = [];

    public IReadOnlyList<WeightedCommand> Commands { get; set; } = [];

    public string? Replay { get; set; }

    // How often a line of it comes beside the mix and the commands.
    public double ReplayWeight { get; set; } = 1;

    public MixOrder MixOrder { get; set; }

    // Of operations in turn: on each connection, as memtier's clients have them.
    public bool HasTurnsEach { get; set; }

    // Of a cluster's slots keys have the tags of one of each primary alone, as redis-benchmark's.
    public bool HasTagOfEachPrimary { get; set; }

    public OperationTurns? Turns { get; set; }

    /// <summary>How many records there are; null for the default or where <see cref="TotalSize"/> decides.</summary>
    public long? Records { get; set; }

    /// <summary>How many bytes the values of all records have together; null where records are counted.</summary>
    public long? TotalSize { get; set; }

    public long FirstRecord { get; set; }

    public long? Operations { get; set; }

    /// <summary>Of each connection; null where <see cref="Operations"/> are of all.</summary>
    public long? OperationsEach { get; set; }

    /// <summary>How long to measure; null to count operations.</summary>
    public TimeSpan? Duration { get; set; }

    /// <summary>How long operations are sent before they count; null for the default.</summary>
    public TimeSpan? WarmUp { get; set; }

    /// <summary>How operations spread over the records; null for what the workload says.</summary>
    public string? Keys { get; set; }

    /// <summary>Of operations that have another distribution than the rest.</summary>
    public IReadOnlyList<OperationKeys> OperationKeys { get; set; } = [];

    public KeyStreams KeyStreams { get; set; }

    public string KeyForm { get; set; } = "ycsb";

    /// <summary>Whether __rand_int__ is sent as it stands.</summary>
    public bool LiteralNumbers { get; set; }

    public string ValueSize { get; set; } = "100";

    /// <summary>What is in them; null for what suits the rest.</summary>
    public string? Value { get; set; }

    /// <summary>How long written keys live; null for ever.</summary>
    public InclusiveRange<TimeSpan>? Expiry { get; set; }

    /// <summary>Fields of a record, which then is a hash; null for strings.</summary>
    public int? Fields { get; set; }

    public string FieldPrefix { get; set; } = "field";

    public FieldChoice ReadFields { get; set; }

    public FieldChoice WriteFields { get; set; } = FieldChoice.One;

    /// <summary>The sorted set that inserts note their key in; null for none.</summary>
    public string? Index { get; set; }

    public bool Verify { get; set; }

    public int? Threads { get; set; }

    public int? Connections { get; set; }

    /// <summary>Connections of all threads together; null where <see cref="Connections"/> decides.</summary>
    public int? Clients { get; set; }

    /// <summary>Connections that are opened beside the others and send nothing.</summary>
    public int IdleConnections { get; set; }

    /// <summary>After how many requests a connection is closed and opened again; null for never.</summary>
    public int? ReconnectEvery { get; set; }

    public int Pipeline { get; set; } = 1;

    /// <summary>Operations per second over all threads; empty for the closed loop.</summary>
    public IReadOnlyList<RateStep> Rate { get; set; } = [];

    /// <summary>The limit under which the highest rate is looked for; null for no search.</summary>
    public LatencyLimit? FindMaxRate { get; set; }

    public ArrivalChoice Arrival { get; set; } = ArrivalChoice.Uniform;

    public int? MaxInFlight { get; set; }

    public ErrorPolicy OnError { get; set; }

    public int MaxRetries { get; set; } = 10;

    /// <summary>The longest wait for a reply; null for the server's own limit.</summary>
    public TimeSpan? CommandTimeout { get; set; }

    public int Seed { get; set; } = 1;

    /// <summary>Whether a connection sends as redis-benchmark does: the next ones when all were answered.</summary>
    public bool SendsInBatches { get; set; }

    public LatencyStamps Stamps { get; set; }

    public PhaseOptions With(Action<PhaseOptions> change)
    {
        var changed = (PhaseOptions)MemberwiseClone();
        change(changed);
        return changed;
    }
}
