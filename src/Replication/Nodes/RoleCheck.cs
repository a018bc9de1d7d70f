using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;

namespace RedisLatency.Replication.Nodes;

/// <summary>
/// Asks a server whether it still is a replica, after something was seen there and before that counts: one that was
/// promoted meanwhile may have been written to itself by a writer that knew sooner than this process. One thread.
/// </summary>
internal sealed class RoleCheck : IDisposable
{
    private const string Replica = "slave";

    private RedisConnection? _connection;
    private ResolvedTarget? _target;

    /// <summary>Refuses a server that does not tell its role.</summary>
    /// <exception cref="RunRefusedException">It does not.</exception>
    /// <exception cref="RedisException">It cannot be reached.</exception>
    public static void RequireAnswer(ResolvedTarget target)
    {
        using var control = target.OpenControl();
        if (control.Request("ROLE") is { IsError: true } refusal)
        {
            throw new RunRefusedException(
                $"--destination {target.Name} does not tell its role ({refusal.Text}). Without it nobody here can know "
                + "whether a key was replicated to it or written there, after a failover.");
        }
    }

    /// <summary>Asks.</summary>
    /// <exception cref="RedisException">It cannot be asked: what was seen there does not count.</exception>
    public bool IsReplica(ResolvedTarget target)
    {
        if (!ReferenceEquals(target, _target))
            Dispose();
        _target = target;
        try
        {
            _connection ??= target.OpenControl();
            var role = _connection.Execute("ROLE");
            return role.Items.Count > 0 && role.Items[0].Text == Replica;
        }
        catch (RedisException)
        {
            Dispose();
            throw;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _connection?.Dispose();
        _connection = null;
    }
}
