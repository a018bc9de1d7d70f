using RedisLatency.Metrics.Histograms;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Engine;

/// <summary>What all workers of an engine have counted and recorded.</summary>
internal sealed class WorkerSums(EnginePlan plan, WorkerCounts[] workers)
{
    /// <summary>Adds the latencies that were recorded since the last call.</summary>
    public void TakeInterval(IntervalTotals into)
    {
        ArgumentNullException.ThrowIfNull(into);
        foreach (var counts in workers)
        {
            for (var operation = 0; operation < into.Service.Count; operation++)
            {
                counts.Service[operation].EndInterval();
                if (plan.IsOpenLoop)
                    counts.Response[operation].EndInterval();
            }

            counts.Lateness.EndInterval();
        }

        LatencyRecorder.Fence();
        foreach (var counts in workers)
        {
            for (var operation = 0; operation < into.Service.Count; operation++)
            {
                counts.Service[operation].Collect(into.Service[operation]);
                if (plan.IsOpenLoop)
                    counts.Response[operation].Collect(into.Response[operation]);
            }

            counts.Lateness.Collect(into.Lateness);
        }
    }

    public EngineProgress Progress()
    {
        var sum = default(OperationCounts);
        var (unsent, connectionsLost) = (0L, 0L);
        foreach (var counts in workers)
        {
            for (var operation = 0; operation < plan.Mix.Operations.Count; operation++)
                sum.Add(counts.Operations[operation]);
            unsent += counts.Unsent;
            connectionsLost += counts.ConnectionsLost;
        }

        var missing = sum.TimedOut + sum.Lost;
        return new EngineProgress(
            workers[0].MeasuredFrom,
            sum.Sent,
            sum.Completed,
            sum.Errors + sum.Mismatched,
            missing,
            Math.Max(0, sum.Sent - sum.Completed - sum.Errors - missing),
            unsent,
            connectionsLost);
    }

    public EngineTotals Totals()
    {
        var examples = new Dictionary<string, string>();
        var operations = plan.Mix.Operations.Select((operation, index) => Total(operation.Name, index, examples))
            .ToArray();
        var refusals = new Dictionary<string, long>();
        foreach (var one in workers)
            one.Refusals.AddTo(refusals, examples);
        return new EngineTotals
        {
            Operations = operations,
            Unsent = workers.Sum(one => one.Unsent),
            HeldBack = workers.Sum(one => one.HeldBack),
            BytesSent = workers.Sum(one => one.BytesSent),
            BytesReceived = workers.Sum(one => one.BytesReceived),
            ConnectionsLost = workers.Sum(one => one.ConnectionsLost),
            Reconnected = workers.Sum(one => one.Reconnected),
            ReadsOfPrimary = workers.Sum(one => one.ReadsOfPrimary),
            Refusals = refusals,
            ErrorExamples = examples,
            BusyShare = workers.Max(one => one.BusyShare),
            MeasuredFrom = workers[0].MeasuredFrom,
            MeasuredUntil = workers.Max(one => one.MeasuredUntil),
            AllocatedBytes = workers.Sum(one => one.AllocatedBytes),
            Processor = ProcessorUse.Sum(workers.Select(one => one.Processor)),
            Lost = TargetEnd.Lost(workers.SelectMany(one => one.Ends)),
            LastBreak = workers.Select(one => one.LastBreak).FirstOrDefault(cause => cause is not null),
            Moved = operations.Sum(operation => operation.ErrorReplies.GetValueOrDefault("MOVED")),
            Asked = operations.Sum(operation => operation.ErrorReplies.GetValueOrDefault("ASK")),
        };
    }

    private OperationTotals Total(string name, int index, Dictionary<string, string> examples)
    {
        var sum = default(OperationCounts);
        var errors = new Dictionary<string, long>();
        foreach (var counts in workers)
        {
            sum.Add(counts.Operations[index]);
            counts.Errors[index].AddTo(errors, examples);
        }

        return new OperationTotals
        {
            Name = name,
            Sent = sum.Sent,
            Completed = sum.Completed,
            Hits = sum.Hits,
            Misses = sum.Misses,
            Errors = sum.Errors,
            TimedOut = sum.TimedOut,
            Lost = sum.Lost,
            Retried = sum.Retried,
            Mismatched = sum.Mismatched,
            Redirected = sum.Redirected,
            ErrorReplies = errors,
        };
    }
}
