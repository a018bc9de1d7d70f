using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Telemetry;
using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Options;

internal sealed class RunningOptions
{
    public LoopKind Loop { get; set; }

    public ClusterUse Cluster { get; set; }

    public ReadPreference ReadFrom { get; set; }

    public TimeSpan ReconnectTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>The processor of the first thread, the others take the next ones; null for any.</summary>
    public int? Cpu { get; set; }

    /// <summary>The longest wake-up of a processor, in microseconds, held for the run; null to leave it.</summary>
    public int? CpuDmaLatency { get; set; }

    public bool Overwrite { get; set; }

    public bool Floor { get; set; }

    public TelemetryOptions Telemetry { get; } = new();
}

internal enum ClusterUse
{
    Auto,

    /// <summary>They are: every key goes to the node that has its slot, redirections are followed.</summary>
    On,

    /// <summary>They are not, or a proxy stands before the cluster: a redirection is an error.</summary>
    Off,
}

internal static class RunningCatalogue
{
    public static OptionCatalogue<RunningOptions> Create() => new OptionCatalogue<RunningOptions>("Workload")
        .Group("Engine")
        .Add("--loop", o => o.Loop, Syntax.Choice<LoopKind>(),
            "The event loop of each thread; auto takes the best that this machine has, and the result names it")
        .Add("--cluster", o => o.Cluster, Syntax.Choice<ClusterUse>(),
            "Whether keys go to the cluster node that has their slot; auto asks the server, off is for proxies")
        .Add("--read-from", o => o.ReadFrom, Syntax.Choice<ReadPreference>(),
            "Where commands that only read are sent: in a cluster, behind Sentinels, or given a primary or one of its "
            + "replicas")
        .Add("--reconnect-timeout", o => o.ReconnectTimeout, Syntax.Duration(most: TimeSpan.FromHours(1)),
            "How long to try to reach a lost server before the run ends")
        .Add("--overwrite", o => o.Overwrite, Syntax.Flag,
            "Overwrite existing keys that no load of this tool has written; otherwise refused")
        .Add("--cpu", o => o.Cpu, Syntax.SmallCount(0, 1023).Optional(),
            "Pin the first thread to this processor, the others to the next ones", shownDefault: "any")
        .Add("--cpu-dma-latency", o => o.CpuDmaLatency, Syntax.SmallCount(0, 1_000_000, "us").Optional(),
            "Keep processors out of idle states that take longer than this to leave, in us (needs root)",
            shownDefault: "as the machine has it")
        .Add("--floor", o => o.Floor, Syntax.Flag,
            "Also measure the in-process server the same way: the most that this tool can do")
        .Include(TelemetryCatalogue.Create(), o => o.Telemetry);
}
