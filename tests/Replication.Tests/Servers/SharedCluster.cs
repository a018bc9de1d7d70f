using System.Globalization;
using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Replication.Tests.Probe;

namespace RedisLatency.Replication.Tests.Servers;

/// <summary>
/// A real cluster of three shards, each with a replica, for several classes one test after the other: they may change
/// who is the primary, and find out anew who that is.
/// </summary>
[CollectionDefinition(Name)]
public sealed class SharedCluster : ICollectionFixture<SharedCluster>, IAsyncLifetime
{
    public const string Name = "cluster of three shards with replicas";

    private Task<RedisClusterProcesses>? _processes;

    /// <summary>The cluster; the test is skipped where there is no server.</summary>
    internal RedisClusterProcesses Processes => _processes!.GetAwaiter().GetResult();

    public async ValueTask InitializeAsync()
    {
        // A server that hears of a demotion before it hears of the promotion misses the shard for a moment, and would
        // answer for no other either.
        _processes = RedisClusterProcesses.Start(new RedisClusterOptions
        {
            Arguments = ["--notify-keyspace-events", "K$", "--cluster-require-full-coverage", "no"],
        });
        await Task.WhenAny(_processes);
    }

    public ValueTask DisposeAsync() =>
        _processes is { IsCompletedSuccessfully: true } ? Processes.DisposeAsync() : ValueTask.CompletedTask;

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

    /// <summary>
    /// Makes a shard's replica its primary while a writer and a reader in two processes measure it, and ends both once
    /// keys have come through after that.
    /// </summary>
    /// <returns>What the reader left behind, which has every key accounted for.</returns>
    internal async Task<JsonNode> FailOver(
        RedisServerProcess primary, RedisServerProcess replica, ServiceProcess writer, ServiceProcess reader)
    {
        await WaitForMoreKeys(replica, 30);
        await Processes.Failover(replica);
        await writer.Errors.WaitFor($"written to {Named(replica)} now");
        await reader.Errors.WaitFor($"read from {Named(primary)} now");
        await WaitForMoreKeys(primary, 30);
        var (writerCode, written) = await writer.EndBy("INT").End(writer);
        var (code, record) = await reader.End().End(reader);

        writerCode.ShouldBe(written.CodeOfStop(130), writer.ToString());
        code.ShouldBeOneOf([0, 4], reader.ToString());
        record.ShouldAccountForAllKeys();
        return record;
    }

    /// <summary>Has every server count its commands from now on.</summary>
    internal void ForgetCommands()
    {
        foreach (var server in Processes.Servers)
        {
            using var connection = Processes.Open(server);
            connection.Execute("CONFIG", "RESETSTAT");
        }
    }

    /// <summary>The commands that a server executed, as it counts them.</summary>
    internal string CommandsAt(RedisServerProcess server)
    {
        using var connection = Processes.Open(server);
        return connection.Execute("INFO", "commandstats").Text;
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
