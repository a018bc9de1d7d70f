using System.Globalization;
using RedisLatency.Fixtures;

namespace RedisLatency.Replication.Tests.Delay.Clusters;

/// <summary>
/// A real cluster of three shards, each with a replica, for several classes one test after the other: they may change
/// who is the primary, and find out anew who that is.
/// </summary>
[CollectionDefinition(Name)]
public sealed class SharedCluster : ICollectionFixture<SharedCluster>, IAsyncLifetime
{
    public const string Name = "cluster of three shards with replicas";

    private RedisClusterProcesses? _processes;

    /// <summary>The cluster; the test is skipped where there is no server.</summary>
    internal RedisClusterProcesses Processes
    {
        get
        {
            var reason = ServerRequirement.ReasonToSkip("redis-server");
            Assert.SkipWhen(reason is not null, reason ?? string.Empty);
            return _processes!;
        }
    }

    public async ValueTask InitializeAsync()
    {
        if (ServerRequirement.ReasonToSkip("redis-server") is null)
            _processes = await RedisClusterProcesses.Start(new RedisClusterOptions { Arguments = ["--notify-keyspace-events", "K$"] });
    }

    public ValueTask DisposeAsync() => _processes?.DisposeAsync() ?? ValueTask.CompletedTask;

    /// <summary>The primary and the replica of the shard that has a slot.</summary>
    internal (RedisServerProcess Primary, RedisServerProcess Replica) ShardOf(int slot)
    {
        var primary = Processes.PrimaryOf(slot);
        return (primary, Processes.ReplicasOf(primary).Single());
    }

    /// <summary>Waits until a server has so many more keys than now.</summary>
    internal Task WaitForMoreKeys(RedisServerProcess server, int more)
    {
        var before = KeysAt(server);
        return Eventually.Is("keys arrive", () => KeysAt(server) >= before + more);
    }

    private long KeysAt(RedisServerProcess server)
    {
        using var connection = Processes.Open(server);
        return connection.Execute("DBSIZE").Number;
    }

    /// <summary>A server as results name it.</summary>
    internal static string Named(RedisServerProcess server) =>
        string.Create(CultureInfo.InvariantCulture, $"127.0.0.1:{server.Port}");
}
