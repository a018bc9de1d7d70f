using RedisLatency.Hosting.Targets;

namespace RedisLatency.Replication.Delay.Ends.Places;

/// <summary>A server that is where it is.</summary>
internal sealed class FixedPlace(string role, ResolvedTarget target) : IServerPlace
{
    /// <inheritdoc/>
    public string Role => role;

    /// <inheritdoc/>
    public string Label => role;

    /// <inheritdoc/>
    public bool IsReplica => false;

    /// <inheritdoc/>
    public ResolvedTarget Target => target;

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
