using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Sync.Checkpoints;
using RedisLatency.Sync.Tests.Runs;

namespace RedisLatency.Sync.Tests.Checkpoints;

/// <summary>Asks targets for what a run has told them.</summary>
internal static class HeldCheckpoint
{
    /// <summary>The field of the head, once there is one.</summary>
    public static string? FieldIn(RedisConnection target) => target.Execute("HKEYS", CheckpointKeys.Name).Items
        .Select(item => item.Text).SingleOrDefault(name => !name.Contains('/'));

    /// <summary>How many of the source's shards have one.</summary>
    public static int HeadsIn(RedisConnection target) => target.Execute("HKEYS", CheckpointKeys.Name).Items
        .Count(item => !item.Text.Contains('/'));

    public static bool HasPosition(SyncPair pair) => FieldIn(pair.To) is not null;

    /// <summary>Whether each of its primaries has one.</summary>
    public static bool HasPosition(Ends target)
    {
        if (target.Server is { } server)
        {
            using var connection = SyncProcess.Open(server.Uri);
            return FieldIn(connection) is not null;
        }

        return target.Servers.All(node => HeadsIn(target.Cluster!, node) > 0);
    }

    private static int HeadsIn(RedisClusterProcesses cluster, RedisServerProcess node)
    {
        using var connection = cluster.Open(node);
        return connection.Execute("KEYS", $"{CheckpointKeys.Name}:*").Items.Count(key =>
            connection.Execute("HKEYS", key.Text).Items.Any(field => !field.Text.Contains('/')));
    }
}
