using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Totals;

namespace RedisLatency.Workloads.Phases;

internal static class WorkloadSummaries
{
    /// <summary>The summary; what limited it is not in it yet.</summary>
    public static RunSummary Of(PhaseSession session)
    {
        var totals = session.Totals!;
        return new RunSummary
        {
            Name = session.IsFloor ? "floor" : session.Phase.FullName,
            DurationNs = session.DurationNs,
            Counts = new MessageCounts
            {
                Asked = totals.Due,
                Sent = totals.Sent,
                Unsent = session.Phase.IsOpenLoop ? totals.Unsent : null,
                Returned = totals.Completed,
                Lost = totals.Operations.Sum(operation => operation.Lost + operation.TimedOut),
                Wrong = session.Phase.Options.Verify ? totals.Operations.Sum(operation => operation.Mismatched) : null,
                InFlightLimitHits = session.Phase.IsOpenLoop ? totals.HeldBack : null,
            },
            Rates = new MessageRates { Asked = session.AskedRate, Achieved = session.Throughput },
            Latencies = session.Metrics.Latencies,
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
        Operations = totals.Operations,
        Engine = new EngineFacts
        {
            IsClientLibrary = session.Driver.IsClientLibrary,
            Loop = session.Driver.Loop,
            IsCluster = session.IsCluster,
            ReadFrom = session.ReadFrom == ReadPreference.Primary
                ? null
                : session.ReadFrom.ToString().ToLowerInvariant(),
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
            Contradictions = totals.Contradictions,
            Refusals = totals.Refusals,
            ErrorExamples = totals.ErrorExamples,
        },
        ServersAsked = session.Server.Count,
        ServerCommands = session.Server.Commands,
        KeysBefore = session.Server.KeysBefore,
        KeysAfter = session.Server.KeysAfter,
        Published = session.Phase.Published,
    };
}
