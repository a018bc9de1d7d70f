using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Records;

namespace RedisLatency.Workloads.Phases;

/// <summary>Says what limited the throughput of a phase: this tool, the server, or neither.</summary>
internal static class ThroughputLimit
{
    // A thread or server busier than this may be what everything waits for.
    private const double Busy = 0.9;

    // A thread less busy than this waits for round trips, here as against the in-process server.
    private const double Working = 0.7;

    // The floor run's throughput, as a multiple of the measured one, up to which the tool may be the limit.
    private const double Near = 1.25;

    // Connections, compilation and the ticks of processor time are most of what is shorter.
    private const long LeastNs = 100_000_000;

    /// <summary>Null where nothing can be said. machineBusy is of all processors, whoever used them.</summary>
    public static string? Of(RunSummary summary, RunSummary? floor, double? machineBusy)
    {
        if (summary.Workload is not { Engine: { } engine } workload || summary.Rates.Achieved is not > 0
            || summary.DurationNs < LeastNs)
        {
            return null;
        }

        var (busy, serverBusy) = (summary.Metrics.Value(Cost.Busy), summary.Metrics.Value(Cost.ServerBusy));
        var isToolBusy = busy >= Busy;
        var isServerBusy = serverBusy >= Busy;
        var isClient = engine.IsClientLibrary;
        var share = isClient
            ? $"this process used {Percent(busy)} of the processors"
            : $"its busiest thread was busy {Percent(busy)} of the time";
        var floorBusy = floor?.Metrics.Value(Cost.Busy) ?? 0;
        if (floor?.Rates.Achieved is { } most && most < Near * summary.Rates.Achieved && !workload.IsFloor
            && (isClient || Math.Max(busy ?? 0, floorBusy) >= Working))
        {
            return $"this tool may be the limit: it reached only {Quantity.Rate(most)} "
                + $"against the in-process server, and {Quantity.Rate(summary.Rates.Achieved.Value)} here; "
                + "give it more --threads";
        }

        return (isToolBusy, isServerBusy) switch
        {
            (true, true) => $"this tool and the server were both at their limit: {share}, the server used "
                + $"{Percent(serverBusy)} of a core; more --threads may reach more",
            (true, false) => $"this tool was the limit, not the server: {share}; more --threads may reach more",
            (false, true) =>
                $"the server was the limit: it used {Percent(serverBusy)} of a core, and {share}",
            _ when machineBusy >= Busy => $"the processors of this machine were {Percent(machineBusy)} busy ({share}): "
                + "everything on it competes for them, also a server that runs here",
            _ when summary.Rates.Asked is not null => null,
            _ when isClient => $"neither the processors nor the server were busy all the time ({share}"
                + (serverBusy is { } some ? $", the server {Percent(some)} of a core" : string.Empty)
                + "): the client's own queues and the round trips were the limit",
            _ => $"neither this tool nor the server was busy all the time ({share}"
                + (serverBusy is { } used ? $", the server used {Percent(used)} of a core" : string.Empty)
                + "): the round trips were the limit, more --connections or a longer --pipeline may reach more",
        };
    }

    public static bool IsTool(string? limit) => limit?.StartsWith("this tool", StringComparison.Ordinal) == true;

    private static string Percent(double? share) => Quantity.Percent(Math.Round(share ?? 0, 2));
}
