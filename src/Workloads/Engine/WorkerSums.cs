using RedisLatency.Reports.Figures;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Engine;

internal sealed class WorkerSums(EnginePlan plan, WorkerCounts[] workers)
{
    public IReadOnlyList<WorkerCounts> Workers => workers;

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

        return new EngineProgress(workers[0].MeasuredFrom, sum, unsent, connectionsLost);
    }

    public EngineTotals Totals()
    {
        var examples = new Dictionary<string, string>();
        var operations = plan.Mix.Operations.Select((operation, index) => Total(operation, index, examples))
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
            Contradictions = workers.Sum(one => one.Contradictions),
            LastBreak = workers.Select(one => one.LastBreak).FirstOrDefault(cause => cause is not null),
            Moved = operations.Sum(operation => operation.ErrorReplies.GetValueOrDefault("MOVED")),
            Asked = operations.Sum(operation => operation.ErrorReplies.GetValueOrDefault("ASK")),
        };
    }

    private OperationResult Total(MixedOperation operation, int index, Dictionary<string, string> examples)
    {
        var sum = default(OperationCounts);
        var errors = new Dictionary<string, long>();
        foreach (var counts in workers)
        {
            sum.Add(counts.Operations[index]);
            counts.Errors[index].AddTo(errors, examples);
        }

        return new OperationResult
        {
            Name = operation.Name,
            Command = operation.Command.Text,
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
