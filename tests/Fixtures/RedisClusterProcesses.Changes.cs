using System.Diagnostics;

namespace RedisLatency.Fixtures;

/// <content>What happens to a cluster while it is used: slots move, primaries change.</content>
public sealed partial class RedisClusterProcesses
{
    /// <summary>Twice as long as Redis gives a failover that was asked for (CLUSTER_MF_TIMEOUT).</summary>
    private static readonly TimeSpan GivenUpAfter = TimeSpan.FromSeconds(10);

    /// <summary>Moves slots with their keys from one primary to another, one by one, as redis-cli does.</summary>
    /// <param name="from">Who has them.</param>
    /// <param name="to">Who gets them.</param>
    /// <param name="first">The first slot.</param>
    /// <param name="last">The last slot, moved too.</param>
    public async Task MigrateSlots(RedisServerProcess from, RedisServerProcess to, int first, int last)
    {
        using var source = Open(from);
        using var target = Open(to);
        var (sourceId, targetId) = (IdOf(from), IdOf(to));
        string[] login = _options.Password is { } password ? ["AUTH", password] : [];
        for (var slot = first; slot <= last; slot++)
        {
            var number = Text(slot);
            target.Execute("CLUSTER", "SETSLOT", number, "IMPORTING", sourceId);
            source.Execute("CLUSTER", "SETSLOT", number, "MIGRATING", targetId);
            while (source.Execute("CLUSTER", "GETKEYSINSLOT", number, "100").Items is { Count: > 0 } keys)
            {
                source.Execute(
                [
                    "MIGRATE", "127.0.0.1", Text(to.Port), "", "0", "10000", .. login,
                    "KEYS", .. keys.Select(key => key.Text),
                ]);
            }

            // The new owner first: were the old one first and then gone, nobody would own the slot.
            target.Execute("CLUSTER", "SETSLOT", number, "NODE", targetId);
            source.Execute("CLUSTER", "SETSLOT", number, "NODE", targetId);
        }

        await Settle();
    }

    /// <summary>Moves slots with their keys at one moment, as Valkey 9 can (CLUSTER MIGRATESLOTS).</summary>
    /// <param name="from">Who has them.</param>
    /// <param name="to">Who gets them.</param>
    /// <param name="first">The first slot.</param>
    /// <param name="last">The last slot, moved too.</param>
    public async Task MigrateSlotsAtOnce(RedisServerProcess from, RedisServerProcess to, int first, int last)
    {
        using var source = Open(from);
        source.Execute("CLUSTER", "MIGRATESLOTS", "SLOTSRANGE", Text(first), Text(last), "NODE", IdOf(to));
        await Eventually.Is("the slots are migrated", () => StateOfMigration() == "success");
        await Settle();

        // The newest is the first.
        string? StateOfMigration() =>
            source.Execute("CLUSTER", "GETSLOTMIGRATIONS").Items[0].Find("state")?.Text;
    }

    /// <summary>Promotes a replica while its primary is well (CLUSTER FAILOVER), and waits until all agree.</summary>
    public async Task Failover(RedisServerProcess replica)
    {
        long? asked = null;
        await Eventually.Is("the replica is promoted", () =>
        {
            if (IsPrimary(replica))
                return true;
            // Servers that are held up on a busy machine give it up without a word.
            if (asked is { } since && Stopwatch.GetElapsedTime(since) < GivenUpAfter)
                return false;
            using var connection = Open(replica);
            connection.Execute("CLUSTER", "FAILOVER");
            asked = Stopwatch.GetTimestamp();
            return false;
        });
        await Settle();
    }

    /// <summary>Kills a primary and waits until one of its replicas has taken its place and all agree.</summary>
    /// <returns>The new primary.</returns>
    public async Task<RedisServerProcess> KillPrimary(RedisServerProcess primary)
    {
        var replicas = ReplicasOf(primary);
        await primary.Kill();
        var promoted = await Eventually.Get("a replica is promoted", () => replicas.FirstOrDefault(IsPrimary));
        await Settle();
        return promoted;
    }

    private bool IsPrimary(RedisServerProcess server)
    {
        using var connection = Open(server);
        return connection.Execute("ROLE").Items[0].Text == "master";
    }
}
