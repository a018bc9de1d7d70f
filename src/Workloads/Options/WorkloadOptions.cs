using RedisLatency.Hosting.RunOptions;

namespace RedisLatency.Workloads.Options;

/// <summary>What <c>load</c> and <c>run</c> take.</summary>
internal sealed class WorkloadOptions
{
    public TargetOptions Target { get; } = new();

    public PhaseOptions Phase { get; } = new();

    public RunningOptions Running { get; } = new();

    public IdentityOptions Identity { get; } = new();

    public OutputOptions Output { get; } = new();
}
