using RedisLatency.Hosting.Options;

namespace RedisLatency.Workloads.Options;

internal sealed class WorkloadOptions : MeasuringOptions
{
    public PhaseOptions Phase { get; } = new();

    public RotationOptions Rotation { get; } = new();
}
