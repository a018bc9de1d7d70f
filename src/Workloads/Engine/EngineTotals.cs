using RedisLatency.Metrics.Histograms;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Workloads.Engine;

/// <summary>What an engine has done since measuring began. Exact once the engine has been joined.</summary>
internal sealed record EngineTotals
{
    /// <summary>Per operation of the mix, in its order.</summary>
    public required IReadOnlyList<OperationResult> Operations { get; init; }

    /// <summary>Due by an open loop's schedule, but not sent before the end.</summary>
    public long Unsent { get; init; }

    // Its busy share: in a closed loop a worker's processor time, in an open one all time that it neither waited nor
    // spun; of a client library the share of all processors that the process used.
    public required EngineFacts Facts { get; init; }

    public long Moved { get; init; }

    /// <summary>How often a cluster's slots, or a service's servers, were asked for anew.</summary>
    public long MapsTaken { get; init; }

    /// <summary>When the first measured operation could be sent, in nanoseconds of the monotonic clock.</summary>
    public long MeasuredFrom { get; init; }

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

    public long Sent => Operations.Sum(operation => operation.Sent);

    public long Completed => Operations.Sum(operation => operation.Completed);

    public long Due => Sent + Unsent;
}

/// <summary>How far an engine has come, over all operations; taken every second, so nothing is allocated.</summary>
internal readonly record struct EngineProgress(
    long MeasuredFrom, OperationCounts Counts, long Unsent, long ConnectionsLost)
{
    /// <summary>What was to be sent so far.</summary>
    public long Asked => Counts.Sent + Unsent;

    public long InFlight => Math.Max(0, Counts.Sent - Counts.Completed - Counts.Errors - Counts.TimedOut - Counts.Lost);
}

/// <summary>User and system; where threads alone cannot be told, of the process, a server inside it included.</summary>
internal readonly record struct ProcessorUse(long Nanoseconds, bool IsOfProcess)
{
    /// <summary>The use of several threads; of the process it is the same for all of them.</summary>
    public static ProcessorUse Sum(IEnumerable<ProcessorUse> uses) => uses.Aggregate((sum, one) => one.IsOfProcess
        ? new ProcessorUse(Math.Max(sum.Nanoseconds, one.Nanoseconds), true)
        : new ProcessorUse(sum.Nanoseconds + one.Nanoseconds, false));
}

/// <summary>How one connection stood when its phase ended.</summary>
internal readonly record struct TargetEnd(RedisEndpoint Target, bool IsConnected, bool IsWaiting, bool IsSilent)
{
    /// <summary>
    /// The first that nobody was connected to; else, as another may only be slow, that answered nobody any more.
    /// </summary>
    public static LostTarget? Lost(IEnumerable<TargetEnd> ends)
    {
        var targets = ends.GroupBy(end => end.Target).ToList();
        if (targets.Find(target => !target.Any(end => end.IsConnected)) is { } away)
            return new LostTarget(away.Key, false);
        var silent = targets.Find(target =>
            target.Any(end => end.IsWaiting) && target.Where(end => end.IsWaiting).All(end => end.IsSilent));
        return silent is null ? null : new LostTarget(silent.Key, true);
    }
}

/// <summary>A target gone at the end of a phase; silent if it was connected, and answered nothing.</summary>
internal sealed record LostTarget(RedisEndpoint Target, bool IsSilent);
