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

    /// <summary>
    /// Whether it is of one period of a phase: what threads used and allocated is known of the whole alone.
    /// </summary>
    public bool IsOfPeriod { get; private init; }

    /// <summary>
    /// The same where what is in flight counts when it has ended: as many operations are completed as have a latency.
    /// </summary>
    /// <param name="completed">How many latencies each operation has so far.</param>
    public EngineTotals Settled(IReadOnlyList<long> completed)
    {
        var operations = Operations.Zip(completed, (operation, latencies) =>
        {
            var counts = operation.Counts;
            counts.Completed = latencies;
            counts.Sent = latencies + counts.Errors + counts.TimedOut + counts.Lost;
            return operation with { Counts = counts };
        }).ToList();
        var sum = default(OperationCounts);
        foreach (var operation in operations)
            sum.Add(operation.Counts);
        return this with { Operations = operations, Progress = Progress with { Counts = sum } };
    }

    /// <summary>What was done in a period, since what was done before it.</summary>
    /// <param name="before">What was done before; null in the first period.</param>
    /// <param name="fromNs">When it began, in nanoseconds of the monotonic clock.</param>
    /// <param name="untilNs">When it ended.</param>
    public EngineTotals Since(EngineTotals? before, long fromNs, long untilNs)
    {
        var start = Progress.MeasuredFrom;
        return this with
        {
            IsOfPeriod = true,
            Operations = before is null ? Operations
                : [.. Operations.Zip(before.Operations, (now, then) => now.Since(then))],
            // Of the first period.
            WarmUp = before is null ? WarmUp : [],
            Progress = before is null ? Progress : Progress.Since(before.Progress, fromNs),
            MeasuredUntil = untilNs,
            Facts = Facts with
            {
                Refusals = OperationTotals.CountsSince(
                    Facts.Refusals, before?.Facts.Refusals ?? new Dictionary<string, long>()),
                Servers = [.. Facts.Servers.Select(server => Since(server, before?.Facts.Servers))],
                PrimaryChanges =
                [
                    .. Facts.PrimaryChanges
                        .Where(change => change.AtNs < untilNs - start)
                        .Where(change => before is null || change.AtNs >= fromNs - start)
                        .Select(change => change with { AtNs = change.AtNs - (fromNs - start) }),
                ],
            },
        };
    }

    private static ServerShare Since(ServerShare now, IReadOnlyList<ServerShare>? before) =>
        before?.FirstOrDefault(one => one.Address == now.Address) is { } then
            ? now with { Reads = now.Reads - then.Reads, Writes = now.Writes - then.Writes }
            : now;

    public long Sent => Operations.Sum(operation => operation.Counts.Sent);

    public long Completed => Operations.Sum(operation => operation.Counts.Completed);

    /// <summary>Due by an open loop's schedule, but not sent before the end.</summary>
    public long Unsent => Progress.Load.Unsent;

    public long Due => Sent + Unsent;
}
