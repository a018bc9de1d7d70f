using RedisLatency.Hosting.Targets;

namespace RedisLatency.Replication.Nodes;

/// <summary>A server that is where it is.</summary>
/// <param name="role">source or destination.</param>
/// <param name="target">Which server.</param>
/// <param name="label">What people call it; null for its role.</param>
internal sealed class FixedPlace(string role, ResolvedTarget target, string? label = null) : IServerPlace
{
    /// <inheritdoc/>
    public string Role => role;

    /// <inheritdoc/>
    public string Label => label ?? role;

    /// <inheritdoc/>
    public bool IsReplica => false;

    /// <inheritdoc/>
    public ResolvedTarget Target => target;

    /// <inheritdoc/>
    public string LastName => target.Name;

    /// <inheritdoc/>
    public ResolvedTarget Require() => target;

    /// <inheritdoc/>
    public void Doubt()
    {
        // It is nowhere else.
    }

    /// <inheritdoc/>
    public void Renew()
    {
        // It is nowhere else.
    }
}
