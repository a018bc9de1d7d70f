using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;

namespace RedisLatency.Replication.Nodes;

/// <summary>
/// Lets what was seen at a replica count only when the server has said afterwards that it still is one. One thread.
/// </summary>
/// <param name="pipeline">The connection by which it was seen.</param>
/// <param name="limit">How long a server that was promoted is borne with, while the cluster names no other.</param>
internal sealed class ReplicaGuard(LastingPipeline pipeline, TimeSpan limit) : IDisposable
{
    private readonly RoleCheck _role = new();
    private long _promotedSinceNs;

    /// <summary>Asks.</summary>
    /// <exception cref="RedisConnectionLostException">
    /// It is none any more: what was seen there does not count.
    /// </exception>
    /// <exception cref="RedisException">It cannot be asked.</exception>
    /// <exception cref="TargetLostException">It has been none for too long.</exception>
    public void RequireReplica()
    {
        if (_role.IsReplica(pipeline.Target))
        {
            _promotedSinceNs = 0;
            return;
        }

        var now = MonotonicClock.NowNs();
        if (_promotedSinceNs == 0)
            _promotedSinceNs = now;
        var text = $"{pipeline.Target.Name} is no replica any more";
        if (TimeSpan.FromTicks((now - _promotedSinceNs) / TimeSpan.NanosecondsPerTick) > limit)
            throw new TargetLostException($"{pipeline.Label}: {text}, and the cluster names no other.");
        throw new RedisConnectionLostException(text);
    }

    /// <inheritdoc/>
    public void Dispose() => _role.Dispose();
}
