using System.Text.Json.Nodes;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Connections;
using RedisLatency.Server.Links;

namespace RedisLatency.Sync.Tests.Runs;

/// <summary>
/// Sources of which another server has more, when the run is stopped, than the one that is read: the primary of a
/// replica that is behind, or one that has just taken the other's place.
/// </summary>
public sealed class HandoverTests
{
    private const int Last = 100;

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Replica_ThatIsBehind_IsReadUpToItsPrimary(bool isNamed)
    {
        await using var pair = await SyncPair.Start();
        var port = FreePort.Next();
        using var link = TcpLink.Start(port, pair.Source, back: new LinkSettings { Delay = TimeSpan.FromSeconds(1) });
        await using var replica = await StartReplica(pair, port);
        await using var process = await Sync(pair, replica, isNamed);

        pair.From.Execute("SET", "last", "1");
        var (code, record) = await process.EndBy("INT").End(process);

        pair.To.Execute("EXISTS", "last").Number.ShouldBe(1, process.ToString());
        code.ShouldBe(130, process.ToString());
        record["verdict"]!["status"]!.GetValue<string>().ShouldBe("Valid", process.ToString());
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Replica_ThatNoLongerHearsOfItsPrimary_IsSaid(bool isNamed)
    {
        await using var pair = await SyncPair.Start();
        var port = FreePort.Next();
        using var link = TcpLink.Start(port, pair.Source);
        await using var replica = await StartReplica(pair, port);
        await using var process = await Sync(pair, replica, isNamed);

        // The link is cut; the primary itself is reached by those who know where it is.
        link.Dispose();
        pair.From.Execute("SET", "last", "1");
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(130, process.ToString());
        record["verdict"]!.ToJsonString().ShouldContain(
            isNamed
                ? $"127.0.0.1:{port}, the primary of 127.0.0.1:{replica.Port}, could not be asked at the end how far it is"
                : "bytes ahead of what was read when the run was stopped");
    }

    [Fact]
    public async Task Replica_ThatTakesOverAShardOfTheSource_AtTheEnd_IsReadOrSaid()
    {
        await using var cluster = await RedisClusterProcesses.Start(
            new RedisClusterOptions { Primaries = 3, ReplicasPerPrimary = 1 });
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);
        using var primary = cluster.Open(cluster.PrimaryOf(0));
        var other = cluster.ReplicasOf(cluster.PrimaryOf(0))[0];
        primary.Execute("SET", "{06S}first", "1");
        await using var process = SyncProcess.Start("sync", cluster.Uri, target.Uri);
        await process.Until("the first key is there", () => KeyContents.CountIn(to) == 1);

        using (var replica = cluster.Open(other))
            replica.Execute("CLUSTER", "FAILOVER").Text.ShouldBe("OK");
        WriteAsSoonAsItTakes(() => cluster.Open(other));
        var (_, record) = await process.EndBy("INT").End(process);

        IsComplete(to, record).ShouldBeTrue($"{record["verdict"]}\n{process}");
    }

    [Fact]
    public async Task Replica_ThatSentinelsPromote_AtTheEnd_IsReadOrSaid()
    {
        await using var source = await SentinelProcesses.Start(new() { Sentinels = 1 });
        await using var target = await RedisServerProcess.Start();
        using var to = SyncProcess.Open(target.Uri);
        using var primary = source.OpenServer(source.Servers[0]);
        primary.Execute("SET", "{06S}first", "1");
        await using var process = SyncProcess.Start("sync", source.Uri(), target.Uri);
        await process.Until("the first key is there", () => KeyContents.CountIn(to) == 1);

        using (var sentinel = source.OpenSentinel(source.Sentinels[0]))
            sentinel.Execute("SENTINEL", "FAILOVER", "mymaster").Text.ShouldBe("OK");
        WriteAsSoonAsItTakes(() => source.OpenServer(source.Servers[1]));
        var (_, record) = await process.EndBy("INT").End(process);

        IsComplete(to, record).ShouldBeTrue($"{record["verdict"]}\n{process}");
    }

    private static async Task<RedisServerProcess> StartReplica(SyncPair pair, int primary)
    {
        pair.From.Execute("SET", "first", "1");
        var replica = await RedisServerProcess.Start(arguments: ["--replicaof", "127.0.0.1", $"{primary}"]);
        using var connection = SyncProcess.Open(replica.Uri);
        await Eventually.Is("it follows", () => connection.Execute("EXISTS", "first").Number == 1
            && pair.From.Request("INFO", "replication").Text.Contains("state=online"));
        return replica;
    }

    private static async Task<ServiceProcess> Sync(SyncPair pair, RedisServerProcess replica, bool isNamed)
    {
        var process = isNamed
            ? SyncProcess.Start("sync", replica.Uri, pair.Target.Uri)
            : pair.Sync("--prefer-replica");
        await process.Until("the first key is there", () => pair.To.Execute("EXISTS", "first").Number == 1);
        using var connection = SyncProcess.Open(replica.Uri);
        connection.Request("INFO", "replication").Text.ShouldContain("connected_slaves:1");
        return process;
    }

    // A server that is promoted by Sentinels closes all connections.
    private static void WriteAsSoonAsItTakes(Func<RedisConnection> open)
    {
        var until = MonotonicClock.NowNs() + ServiceProcess.LimitAgainstHangs.InNanoseconds;
        for (var i = 0; i < Last;)
        {
            MonotonicClock.NowNs().ShouldBeLessThan(until);
            try
            {
                using var replica = open();
                while (i < Last && !replica.Request("SET", $"{{06S}}{i}", "1").IsError)
                    i++;
            }
            catch (RedisException problem) when (problem.IsTransient)
            {
                // Then again.
            }
        }
    }

    // All that was written, or the word that it may not be.
    private static bool IsComplete(RedisConnection to, JsonNode record) =>
        record["verdict"]!["status"]!.GetValue<string>() != "Valid" || KeyContents.CountIn(to) == Last + 1;
}
