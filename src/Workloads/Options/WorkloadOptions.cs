using RedisLatency.Hosting.Options;

namespace RedisLatency.Workloads.Options;

internal sealed class WorkloadOptions
{
    public TargetOptions Target { get; } = new();

    public PhaseOptions Phase { get; } = new();

    public RunningOptions Running { get; } = new();

    public IdentityOptions Identity { get; } = new();

    public OutputOptions Output { get; } = new();
}
