using RedisLatency.Hosting.Options;

namespace RedisLatency.Workloads.Loaded;

internal sealed class CleanupOptions
{
    public TargetOptions Target { get; } = new();
}
