namespace RedisLatency.Workloads.Options;

internal sealed class WorkloadOptions : MeasuringOptions
{
    public PhaseOptions Phase { get; } = new();
}
