using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Phases;

/// <summary>Makes the summary of a measured phase.</summary>
internal static class WorkloadSummaries
{
    /// <summary>The summary; what limited it is not in it yet.</summary>
    public static RunSummary Of(PhaseSession session)
    {
        var totals = session.Totals!;
        var completed = totals.Completed;
        var seconds = session.DurationNs / 1e9;
        return new RunSummary
        {
            Name = session.IsFloor ? "floor" : session.Phase.FullName,
            DurationNs = session.DurationNs,
            Counts = new MessageCounts
            {
                Asked = totals.Due,
                Sent = totals.Sent,
                Unsent = session.Phase.IsOpenLoop ? totals.Unsent : null,
                Returned = completed,
                Lost = totals.Operations.Sum(operation => operation.Lost + operation.TimedOut),
                Wrong = session.Phase.Options.Verify ? totals.Operations.Sum(operation => operation.Mismatched) : null,
                InFlightLimitHits = session.Phase.IsOpenLoop ? totals.HeldBack : null,
            },
            Rates = new MessageRates { Asked = AskedRate(session), Achieved = completed / seconds },
            Latencies = [.. session.Series!.All().Select(known =>
                LatencySeries.Of(known.Name, PercentileTable.Of(known.Series.Total, known.Series.Blocks)))],
            Workload = Workload(session, totals),
        };
    }

    private static ServerShare Server(NodeTotals node) => new()
    {
        Address = node.Address,
        Role = node.Role.Length > 0 ? node.Role : null,
        Reads = node.Reads,
        Writes = node.Writes,
    };

    private static PrimaryChange Change(PrimarySwitch change, long measuredFrom) => new()
    {
        AtNs = change.AtNs - measuredFrom,
        From = change.From,
        To = change.To,
    };

    private static WorkloadResult Workload(PhaseSession session, EngineTotals totals) => new()
    {
        Verb = session.Phase.IsLoad ? "load" : "run",
        Group = session.Phase.Group,
        Phase = session.Phase.Name,
        Tag = session.Tag,
        IsFloor = session.IsFloor,
        Options = session.Phase.Given,
        Operations =
        [
            .. totals.Operations.Zip(
                session.Phase.Mix.Operations, (total, mixed) => Operation(total, mixed.Command.Text)),
        ],
        Engine = new EngineFacts
        {
            IsClientLibrary = session.Driver.IsClientLibrary,
            Loop = session.Driver.Loop,
            IsCluster = session.IsCluster,
            ReadFrom = session.ReadFrom == ReadPreference.Primary ? null : session.ReadFrom.ToString().ToLowerInvariant(),
            Servers = [.. totals.Nodes.Select(Server)],
            ReadsOfPrimary = totals.ReadsOfPrimary,
            PrimaryChanges = [.. totals.Switches.Select(change => Change(change, totals.MeasuredFrom))],
            Threads = session.Phase.Threads,
            ConnectionsPerThread = session.Phase.ConnectionsPerThread,
            Pipeline = session.Phase.Pipeline,
            BusyShare = totals.BusyShare,
            LoopFallBack = session.Driver.LoopFallBack,
            CpuPerOperationNs = totals.Sent > 0 && !(session.IsInProcess && totals.Processor.IsOfProcess)
                ? (double)totals.Processor.Nanoseconds / totals.Sent
                : null,
            IsCpuOfProcess = totals.Processor.IsOfProcess,
            AllocatedBytesPerOperation = totals.Sent > 0 ? (double)totals.AllocatedBytes / totals.Sent : null,
            ServerCpuShare = session.Server.CpuShare,
            BytesSent = totals.BytesSent,
            BytesReceived = totals.BytesReceived,
            HeldBack = totals.HeldBack,
            ConnectionsLost = totals.ConnectionsLost,
            Reconnected = totals.Reconnected,
            Refusals = totals.Refusals,
            ErrorExamples = totals.ErrorExamples,
        },
        ServersAsked = session.Server.Count,
        ServerCommands = session.Server.Commands,
        KeysBefore = session.Server.KeysBefore,
        KeysAfter = session.Server.KeysAfter,
        Published = session.Phase.Published,
    };

    private static OperationResult Operation(OperationTotals total, string command) => new()
    {
        Name = total.Name,
        Command = command,
        Sent = total.Sent,
        Completed = total.Completed,
        Hits = total.Hits,
        Misses = total.Misses,
        Errors = total.Errors,
        TimedOut = total.TimedOut,
        Lost = total.Lost,
        Retried = total.Retried,
        Mismatched = total.Mismatched,
        Redirected = total.Redirected,
        ErrorReplies = total.ErrorReplies,
    };

    // Of several stretches the average over those that were measured.
    private static double? AskedRate(PhaseSession session)
    {
        if (!session.Phase.IsOpenLoop)
            return null;
        var from = session.Phase.WarmUp;
        var length = TimeSpan.FromTicks(session.DurationNs / 100);
        var measured = session.Phase.Duration is { } duration && duration < length ? duration : length;
        return RateSteps.Average(session.Phase.Options.Rate, from, from + measured);
    }
}
