using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Replication.Servers;

/// <summary>A connection beside the measured ones, to one server at a time. One thread.</summary>
internal sealed class SideConnection(Func<ResolvedTarget, RedisConnection> open) : IDisposable
{
    private RedisConnection? _connection;

    public ResolvedTarget? Target { get; private set; }

    // Opened anew where it is another server, or after a loss.
    public RedisConnection To(ResolvedTarget target)
    {
        if (!ReferenceEquals(target, Target) || _connection is { IsFaulted: true })
            Dispose();
        Target = target;
        return _connection ??= open(target);
    }

    public void Dispose()
    {
        _connection?.Dispose();
        _connection = null;
    }
}
