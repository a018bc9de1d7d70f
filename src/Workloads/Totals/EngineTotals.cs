using RedisLatency.Reports.Figures;

namespace RedisLatency.Workloads.Totals;

/// <summary>What an engine has done since measuring began. Exact once the engine has been joined.</summary>
internal sealed record EngineTotals
{
    /// <summary>Per operation of the mix, in its order.</summary>
    public required IReadOnlyList<OperationResult> Operations { get; init; }

    /// <summary>Due by an open loop's schedule, but not sent before the end.</summary>
    public long Unsent { get; init; }

    /// <summary>Operations that were sent late because no connection had room when they were due.</summary>
    public long HeldBack { get; init; }

    /// <summary>Bytes sent, the warm-up's too; null where nobody tells.</summary>
    public long? BytesSent { get; init; }

    public long? BytesReceived { get; init; }

    /// <summary>Connections lost, or given up after a time-out.</summary>
    public long ConnectionsLost { get; init; }

    public long Reconnected { get; init; }

    /// <summary>By their first word: why servers refused connections that were to be opened again.</summary>
    public IReadOnlyDictionary<string, long> Refusals { get; init; } = new Dictionary<string, long>();

    public long Moved { get; init; }

    /// <summary>Replies that said ASK.</summary>
    public long Asked { get; init; }

    /// <summary>How often a cluster's slots, or a service's servers, were asked for anew.</summary>
    public long MapsTaken { get; init; }

    /// <summary>What was sent to each server, where there are several.</summary>
    public IReadOnlyList<NodeTotals> Nodes { get; init; } = [];

    /// <summary>Reads that were for replicas and went to a primary, because none was up.</summary>
    public long ReadsOfPrimary { get; init; }

    /// <summary>The servers that became primaries meanwhile, in order.</summary>
    public IReadOnlyList<PrimarySwitch> Switches { get; init; } = [];

    /// <summary>An error as it came, for each first word.</summary>
    public IReadOnlyDictionary<string, string> ErrorExamples { get; init; } = new Dictionary<string, string>();

    // From 0 to 1; above 0.9 the engine may be the limit. In a closed loop a worker's processor time, in an open one
    // all time that it neither waited nor spun; of a client library the share of all processors that the process used.
    public double BusyShare { get; init; }

    /// <summary>When the first measured operation could be sent, in nanoseconds of the monotonic clock.</summary>
    public long MeasuredFrom { get; init; }

    /// <summary>Bytes that the workers' threads (of a client library: the process) allocated while measuring.</summary>
    public long AllocatedBytes { get; init; }

    /// <summary>Processor time that the workers' threads, or the process, used while measuring.</summary>
    public ProcessorUse Processor { get; init; }

    /// <summary>Why a connection was given up (no RESP, a time limit), or null where none was.</summary>
    public string? LastBreak { get; init; }

    /// <summary>Times that a server said what was no reply to what it was asked.</summary>
    public long Contradictions { get; init; }

    /// <summary>Its planned end, or in a closed loop the last reply where that came later.</summary>
    public long MeasuredUntil { get; init; }

    /// <summary>The first target that was lost at the end of the phase, or null.</summary>
    public LostTarget? Lost { get; init; }

    public long Sent => Operations.Sum(operation => operation.Sent);

    public long Completed => Operations.Sum(operation => operation.Completed);

    public long Due => Sent + Unsent;
}

/// <summary>What was sent again to a server counts again. The role is empty where the newest map lacks it.</summary>
internal sealed record NodeTotals(string Address, string Role, long Reads, long Writes);

/// <summary>Noticed at a time of the monotonic clock; from is null where nobody was primary before.</summary>
internal sealed record PrimarySwitch(long AtNs, string? From, string To);

/// <summary>User and system; where threads alone cannot be told, of the process, a server inside it included.</summary>
internal readonly record struct ProcessorUse(long Nanoseconds, bool IsOfProcess)
{
    /// <summary>The use of several threads; of the process it is the same for all of them.</summary>
    public static ProcessorUse Sum(IEnumerable<ProcessorUse> uses) => uses.Aggregate((sum, one) => one.IsOfProcess
        ? new ProcessorUse(Math.Max(sum.Nanoseconds, one.Nanoseconds), true)
        : new ProcessorUse(sum.Nanoseconds + one.Nanoseconds, false));
}
