using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.Merging;

/// <summary>
/// What one phase of a workload did in all parts. What servers counted is of all clients, and does not add.
/// </summary>
internal sealed class MergedWorkload
{
    private WorkloadResult? _sum;
    private double? _cpu = 0;
    private double? _allocated = 0;
    private long _sent;

    public void Add(WorkloadResult part, long sent)
    {
        _cpu += part.Engine?.CpuPerOperationNs * sent;
        _allocated += part.Engine?.AllocatedBytesPerOperation * sent;
        _sent += sent;
        _sum = _sum is null
            ? part with { ServersAsked = 0, ServerCommands = [], KeysBefore = null, KeysAfter = null, Limit = null }
            : _sum with
            {
                Operations = [.. _sum.Operations.Zip(part.Operations, Sum)],
                Engine = _sum.Engine is { } own && part.Engine is { } other ? Sum(own, other) : null,
            };
    }

    public WorkloadResult Create() => _sum! with
    {
        Engine = _sum.Engine is null ? null : _sum.Engine with
        {
            CpuPerOperationNs = _cpu / _sent,
            AllocatedBytesPerOperation = _allocated / _sent,
        },
    };

    private static OperationResult Sum(OperationResult a, OperationResult b) => a with
    {
        Sent = a.Sent + b.Sent,
        Completed = a.Completed + b.Completed,
        Hits = a.Hits + b.Hits,
        Misses = a.Misses + b.Misses,
        Errors = a.Errors + b.Errors,
        TimedOut = a.TimedOut + b.TimedOut,
        Lost = a.Lost + b.Lost,
        Retried = a.Retried + b.Retried,
        Mismatched = a.Mismatched + b.Mismatched,
        Redirected = a.Redirected + b.Redirected,
        ErrorReplies = MergedCounts.Sum(a.ErrorReplies, b.ErrorReplies),
        ErrorExamples = MergedCounts.Firsts(a.ErrorExamples, b.ErrorExamples),
    };

    // Threads of all parts; connections and pipeline are those of the first where they differ, which a note says.
    private static EngineFacts Sum(EngineFacts a, EngineFacts b) => a with
    {
        Threads = a.Threads + b.Threads,
        BusyShare = Largest(a.BusyShare, b.BusyShare),
        ServerCpuShare = Largest(a.ServerCpuShare, b.ServerCpuShare),
        BytesSent = a.BytesSent + b.BytesSent,
        BytesReceived = a.BytesReceived + b.BytesReceived,
        HeldBack = a.HeldBack + b.HeldBack,
        ConnectionsLost = a.ConnectionsLost + b.ConnectionsLost,
        Reconnected = a.Reconnected + b.Reconnected,
        Contradictions = a.Contradictions + b.Contradictions,
        ReadsOfPrimary = a.ReadsOfPrimary + b.ReadsOfPrimary,
        Refusals = MergedCounts.Sum(a.Refusals, b.Refusals),
        RefusalExamples = MergedCounts.Firsts(a.RefusalExamples, b.RefusalExamples),
        Servers =
        [
            .. a.Servers.Concat(b.Servers).GroupBy(server => server.Address).Select(same => same.Last() with
            {
                Reads = same.Sum(server => server.Reads),
                Writes = same.Sum(server => server.Writes),
            }),
        ],
        // Each counts from its own start.
        PrimaryChanges = [],
    };

    private static double? Largest(double? a, double? b) => a is null || b is null ? null : Math.Max(a.Value, b.Value);
}
