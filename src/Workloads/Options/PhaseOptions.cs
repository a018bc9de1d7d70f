using RedisLatency.Workloads.Mixes;
using RedisLatency.Workloads.Rates;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Options;

/// <summary>The load of one phase: what is sent, how much, by how many, how fast.</summary>
internal sealed class PhaseOptions
{
    /// <summary>The workload of YCSB; null where a mix or commands are given, or for the default, A.</summary>
    public YcsbWorkload? Workload { get; set; }

    /// <summary>Operations by name.</summary>
    public IReadOnlyList<MixPart> Mix { get; set; } = [];

    /// <summary>Commands beside them.</summary>
    public IReadOnlyList<WeightedCommand> Commands { get; set; } = [];

    /// <summary>In which order operations come.</summary>
    public MixOrder MixOrder { get; set; }

    /// <summary>How many records there are; null for the default or where <see cref="TotalSize"/> decides.</summary>
    public long? Records { get; set; }

    /// <summary>How many bytes the values of all records have together; null where records are counted.</summary>
    public long? TotalSize { get; set; }

    /// <summary>The number of the first record.</summary>
    public long FirstRecord { get; set; }

    /// <summary>How many operations to measure; null to go by time.</summary>
    public long? Operations { get; set; }

    /// <summary>How long to measure; null to count operations.</summary>
    public TimeSpan? Duration { get; set; }

    /// <summary>How long operations are sent before they count; null for the default.</summary>
    public TimeSpan? WarmUp { get; set; }

    /// <summary>How operations spread over the records; null for what the workload says.</summary>
    public string? Keys { get; set; }

    /// <summary>Whether each operation follows that for itself.</summary>
    public KeyStreams KeyStreams { get; set; }

    /// <summary>How a record's number becomes its key.</summary>
    public string KeyForm { get; set; } = "ycsb";

    /// <summary>How long values are.</summary>
    public string ValueSize { get; set; } = "100";

    /// <summary>What is in them; null for what suits the rest.</summary>
    public string? Value { get; set; }

    /// <summary>How long what is written lives; null for ever.</summary>
    public TimeSpan? Expiry { get; set; }

    /// <summary>Whether what is read is compared with what was written.</summary>
    public bool Verify { get; set; }

    /// <summary>Threads, each with an event loop; null for the default.</summary>
    public int? Threads { get; set; }

    /// <summary>Connections of each thread; null for the default.</summary>
    public int? Connections { get; set; }

    /// <summary>Connections of all threads together; null where <see cref="Connections"/> decides.</summary>
    public int? Clients { get; set; }

    /// <summary>Operations in flight on a connection.</summary>
    public int Pipeline { get; set; } = 1;

    /// <summary>Operations per second over all threads; empty for the closed loop.</summary>
    public IReadOnlyList<RateStep> Rate { get; set; } = [];

    /// <summary>How the times of an open loop are spread.</summary>
    public ArrivalChoice Arrival { get; set; } = ArrivalChoice.Uniform;

    /// <summary>How many operations of an open loop may be in flight on a connection.</summary>
    public int? MaxInFlight { get; set; }

    /// <summary>What a reply that is an error leads to.</summary>
    public ErrorPolicy OnError { get; set; }

    /// <summary>How often an operation is sent again after an error that may pass.</summary>
    public int MaxRetries { get; set; } = 10;

    /// <summary>The longest wait for a reply; null for the server's own limit.</summary>
    public TimeSpan? CommandTimeout { get; set; }

    /// <summary>The seed of keys, values and Poisson times.</summary>
    public int Seed { get; set; } = 1;

    /// <summary>The same with a few changes.</summary>
    public PhaseOptions With(Action<PhaseOptions> change)
    {
        var changed = (PhaseOptions)MemberwiseClone();
        change(changed);
        return changed;
    }
}
