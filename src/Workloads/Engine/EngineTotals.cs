using RedisLatency.Metrics.Histograms;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Workloads.Engine;

/// <summary>What an engine has done since measuring began. Exact once the engine has been joined.</summary>
internal sealed record EngineTotals
{
    /// <summary>Per operation of the mix, in its order.</summary>
    public required IReadOnlyList<OperationTotals> Operations { get; init; }

    /// <summary>The same of the warm-up: its latencies are discarded, its faults are not.</summary>
    public required IReadOnlyList<OperationTotals> WarmUp { get; init; }

    /// <summary>How far it came.</summary>
    public required EngineProgress Progress { get; init; }

    public required EngineFacts Facts { get; init; }

    // In a closed loop a worker's processor time, in an open one all time that it neither waited nor spun; of a client
    // library the share of all processors that the process used.
    public double? BusyShare { get; init; }

    /// <summary>Connections beside those that are used, and how many of them the server has closed.</summary>
    public (int Opened, int Closed) Idle { get; init; }

    public long Moved { get; init; }

    /// <summary>How often a cluster's slots, or a service's servers, were asked for anew.</summary>
    public long MapsTaken { get; init; }

    /// <summary>When the first measured operation could be sent, in nanoseconds of the monotonic clock.</summary>
    public long MeasuredFrom => Progress.MeasuredFrom;

    /// <summary>Its planned end, or in a closed loop the last reply where that came later.</summary>
    public long MeasuredUntil { get; init; }

    public long LastEnded { get; init; }

    /// <summary>How long after the end of the schedule operations completed; empty in a closed loop.</summary>
    public LatencyHistogram AfterEnd { get; init; } = LatencyHistogram.ForLatency();

    /// <summary>Bytes that the workers' threads (of a client library: the process) allocated while measuring.</summary>
    public long AllocatedBytes { get; init; }

    /// <summary>Processor time that the workers' threads, or the process, used while measuring.</summary>
    public ProcessorUse Processor { get; init; }

    /// <summary>Why a connection was given up (no RESP, a time limit), or null where none was.</summary>
    public string? LastBreak { get; init; }

    /// <summary>The first target that was lost at the end of the phase, or null.</summary>
    public LostTarget? Lost { get; init; }

    /// <summary>
    /// The first target that left requests unanswered on a connection that it went on to use; or null.
    /// </summary>
    public RedisEndpoint? Stuck { get; init; }

    public long Sent => Operations.Sum(operation => operation.Counts.Sent);

    public long Completed => Operations.Sum(operation => operation.Counts.Completed);

    /// <summary>Due by an open loop's schedule, but not sent before the end.</summary>
    public long Unsent => Progress.Unsent;

    public long Due => Sent + Unsent;
}
