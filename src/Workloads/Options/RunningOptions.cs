using RedisLatency.Hosting.Telemetry;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Rates;

namespace RedisLatency.Workloads.Options;

/// <summary>How the process works, the same in all phases.</summary>
internal sealed class RunningOptions
{
    /// <summary>Which event loop drives the connections.</summary>
    public LoopKind Loop { get; set; }

    /// <summary>Whether the servers are nodes of a cluster.</summary>
    public ClusterUse Cluster { get; set; }

    /// <summary>Where commands that only read are sent.</summary>
    public ReadPreference ReadFrom { get; set; }

    /// <summary>How long a lost server is tried for.</summary>
    public TimeSpan ReconnectTimeout { get; set; } = TimeSpan.FromSeconds(30);

    /// <summary>The processor of the first thread, the others take the next ones; null for any.</summary>
    public int? Cpu { get; set; }

    /// <summary>The longest wake-up of a processor, in microseconds, held for the run; null to leave it.</summary>
    public int? CpuDmaLatency { get; set; }

    /// <summary>Whether keys are written to that no load of this tool has written.</summary>
    public bool Overwrite { get; set; }

    /// <summary>Whether to measure the in-process server the same way, for comparison.</summary>
    public bool Floor { get; set; }

    /// <summary>Whether and where others can read how it goes on.</summary>
    public TelemetryOptions Telemetry { get; } = new();
}

/// <summary>Whether the servers are nodes of a cluster.</summary>
internal enum ClusterUse
{
    /// <summary>As the first server says of itself.</summary>
    Auto,

    /// <summary>They are: every key goes to the node that has its slot, redirections are followed.</summary>
    On,

    /// <summary>They are not, or a proxy stands before the cluster: a redirection is an error.</summary>
    Off,
}
