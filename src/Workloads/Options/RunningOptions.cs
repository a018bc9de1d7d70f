using RedisLatency.Hosting.Telemetry;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Rates;

namespace RedisLatency.Workloads.Options;

/// <summary>How the process works, the same in all phases.</summary>
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
