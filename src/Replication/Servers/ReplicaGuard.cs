using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;

namespace RedisLatency.Replication.Servers;

/// <summary>What was seen at a replica counts once the server has said that it still is one. One thread.</summary>
internal sealed class ReplicaGuard(ReconnectingPipeline pipeline, TimeSpan limit) : IDisposable
{
    private readonly RoleCheck _role = new();
    private long _promotedSinceNs;

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
        if (TimeSpan.FromNanoseconds(now - _promotedSinceNs) > limit)
            throw new TargetLostException($"{pipeline.Label}: {text}, and the cluster names no other.");
        throw new RedisConnectionLostException(text);
    }

    public void Dispose() => _role.Dispose();
}

/// <summary>Asks whether a server still is a replica: a promoted one may be written to itself. One thread.</summary>
internal sealed class RoleCheck : IDisposable
{
    private readonly SideConnection _connection = new(target => target.OpenControl());

    public static void RequireAnswer(ResolvedTarget target)
    {
        using var control = target.OpenControl();
        if (control.Request("ROLE") is { IsError: true } refusal)
        {
            throw new RunRefusedException(
                $"--destination {target.Name} does not report its role ({refusal.Text}). Without it it cannot "
                + "be known whether a key was replicated to it or written there, after a failover.");
        }
    }

    public bool IsReplica(ResolvedTarget target)
    {
        var role = _connection.To(target).Execute("ROLE");
        return role.Items.Count > 0 && role.Items[0].Text == NodeFacts.Replica;
    }

    public void Dispose() => _connection.Dispose();
}
