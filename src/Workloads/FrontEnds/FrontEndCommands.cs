using RedisLatency.Hosting.Options;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>The command lines of other tools.</summary>
internal static class FrontEndCommands
{
    public static IReadOnlyList<ServiceCommand> All { get; } =
    [
        Memtier.Tool.Command("Takes memtier_benchmark's options, prints what it does."),
        RedisBenchmark.Tool.Command("Takes redis-benchmark's options, prints what it does."),
        Ycsb.Tool.Command("Takes YCSB's options and properties, prints what it does."),
    ];
}
