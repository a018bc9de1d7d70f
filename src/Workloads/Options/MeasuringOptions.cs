using RedisLatency.Hosting.Options;

namespace RedisLatency.Workloads.Options;

internal abstract class MeasuringOptions
{
    public TargetOptions Target { get; } = new();

    public RunningOptions Running { get; } = new();

    public IdentityOptions Identity { get; } = new();

    public FleetOptions Fleet { get; } = new();

    public OutputOptions Output { get; } = new();
}
