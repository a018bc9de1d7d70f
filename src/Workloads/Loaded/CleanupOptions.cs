using RedisLatency.Hosting.RunOptions;

namespace RedisLatency.Workloads.Loaded;

/// <summary>What <c>cleanup</c> takes.</summary>
internal sealed class CleanupOptions
{
    public TargetOptions Target { get; } = new();
}
