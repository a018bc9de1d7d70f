using RedisLatency.Hosting.Targets;

namespace RedisLatency.Replication.Servers;

/// <summary>Always the same server.</summary>
internal sealed class FixedServer(string role, ResolvedTarget target, string? label = null) : IServerLocator
{
    public string Role => role;

    public string Label => label ?? role;

    public ResolvedTarget Target => target;

    public string LastName => target.Name;

    public ResolvedTarget Require() => target;
}
