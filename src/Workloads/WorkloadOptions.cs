using RedisLatency.Hosting.Options;
using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads;

internal sealed class WorkloadOptions : MeasuringOptions
{
    public PhaseOptions Phase { get; } = new();

    public RotationOptions Rotation { get; } = new();
}
