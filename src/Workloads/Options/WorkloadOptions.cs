using RedisLatency.Hosting.RunOptions;

namespace RedisLatency.Workloads.Options;

/// <summary>What <c>load</c> and <c>run</c> take.</summary>
internal sealed class WorkloadOptions
{
    /// <summary>The servers; connections take them in turn.</summary>
    public TargetOptions Target { get; } = new();

    /// <summary>The load.</summary>
    public PhaseOptions Phase { get; } = new();

    /// <summary>How the process works.</summary>
    public RunningOptions Running { get; } = new();

    /// <summary>Which run and process this is.</summary>
    public IdentityOptions Identity { get; } = new();

    /// <summary>What is printed and kept.</summary>
    public OutputOptions Output { get; } = new();
}
