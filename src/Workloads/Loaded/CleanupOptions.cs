using RedisLatency.Hosting.Options.Shared;

namespace RedisLatency.Workloads.Loaded;

/// <summary>What <c>cleanup</c> takes.</summary>
internal sealed class CleanupOptions
{
    /// <summary>The servers.</summary>
    public TargetOptions Target { get; } = new();
}
