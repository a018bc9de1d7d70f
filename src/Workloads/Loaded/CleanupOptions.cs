using RedisLatency.Hosting.RunOptions;

namespace RedisLatency.Workloads.Loaded;

internal sealed class CleanupOptions
{
    public TargetOptions Target { get; } = new();
}
