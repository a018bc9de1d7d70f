using RedisLatency.Fixtures;

namespace RedisLatency.Replication.Tests.Probe;

/// <summary>Real clusters of three shards, each with a replica, and the tool as users run it.</summary>
public class ClusterTests
{
    [Fact]
    public async Task Run_OnACluster_MeasuresEveryShardFromItsPrimaryToItsReplica()
    {
        await using var cluster = await Start();
        await using var process = DelayProcess.Start(
            cluster.Uri, cluster.Uri, "--keys", "600", "--rate", "300", "--writers", "2", "--deadline", "20s",
            "--expiry", "10m", "--wait-interval", "100ms", "--threshold", "missing==0", "--each-key");

        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(600);
        record.ShouldBeLoggedByParts(process);
        var shards = record.Shards();
        shards.Count.ShouldBe(3);
        shards.Select(shard => shard.CountOf("read")).ShouldAllBe(read => read == 200);
        shards.Select(shard => shard["delay"]!["source"]!.GetValue<string>())
            .ShouldBe(cluster.Servers.Take(3).Select(server => $"127.0.0.1:{server.Port}"));
        shards.Select(shard => shard["delay"]!["destination"]!.GetValue<string>())
            .ShouldBe(cluster.Servers.Skip(3).Select(server => $"127.0.0.1:{server.Port}"));
        record.Series("delay")["count"]!.GetValue<long>().ShouldBe(600);
        record.Series("wait")["count"]!.GetValue<long>().ShouldBeGreaterThan(0);
        foreach (var primary in cluster.Servers.Take(3))
        {
            using var connection = cluster.Open(primary);
            // Warming up took 50 keys of each shard; each has its first one, and one that WAIT waited for.
            connection.Execute("DBSIZE").Number.ShouldBe(252);
        }
    }

    [Fact]
    public async Task Run_ToOneNodeOfTheCluster_StandsForTheCluster()
    {
        await using var cluster = await Start();
        await using var process = ServiceProcess.Start(
            "Replication", "delay", "--source", cluster.Servers[1].Uri, "--destination", cluster.Servers[5].Uri,
            "--keys", "300", "--rate", "300", "--deadline", "20s", "--live", "none");

        (await process.End()).ShouldBeOneOf(0, 4);

        var text = process.Output.ToString();
        text.ShouldContain("asked 300 = read 300");
        text.ShouldContain("SHARDS");
        text.ShouldContain("slots 5461-10921");
        text.Split('\n').Where(line => !line.StartsWith("RESULT", StringComparison.Ordinal))
            .ShouldAllBe(line => line.Length <= 80);
    }

    [Fact]
    public async Task Run_WhoseShardFailsOver_FollowsItAndAccountsForEveryKey()
    {
        await using var cluster = await Start();
        await using var process = DelayProcess.Start(
            cluster.Uri, cluster.Uri, "--duration", "10m", "--rate", "150", "--warmup", "0", "--deadline", "20s",
            "--expiry", "5m");
        await WaitForKeys(cluster, cluster.Servers[0], 30);

        await cluster.Failover(cluster.Servers[3]);
        await process.Errors.WaitFor($"written to 127.0.0.1:{cluster.Servers[3].Port} now");
        await process.Errors.WaitFor($"read from 127.0.0.1:{cluster.Servers[0].Port} now");
        var before = KeysAt(cluster, cluster.Servers[3]);
        await WaitForKeys(cluster, cluster.Servers[3], before + 30);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBeOneOf(4, 130);
        record.ShouldAccountForAllKeys();
        record.EventKinds().ShouldContain("failover");
        record.EventKinds().ShouldContain("destination-changed");
        var shard = record.Shards()[0];
        shard["delay"]!["source"]!.GetValue<string>().ShouldBe($"127.0.0.1:{cluster.Servers[3].Port}");
        shard["delay"]!["destination"]!.GetValue<string>().ShouldBe($"127.0.0.1:{cluster.Servers[0].Port}");
        shard.CountOf("read").ShouldBeGreaterThan(50);
        shard.CountOf("missing").ShouldBe(0);
        foreach (var other in record.Shards().Skip(1))
            other.CountOf("read").ShouldBe(other.CountOf("asked"));
    }

    [Fact]
    public async Task Run_WhoseOnlyReplicaIsPromoted_ReadsNothingThereUntilThereIsAnother()
    {
        await using var cluster = await Start();
        await using var process = DelayProcess.Start(
            cluster.Uri, cluster.Uri, "--duration", "10m", "--rate", "150", "--warmup", "0", "--deadline", "10s",
            "--expiry", "5m", "--reconnect-timeout", "2m");
        await WaitForKeys(cluster, cluster.Servers[0], 30);

        await cluster.KillPrimary(cluster.Servers[0]);
        await process.Errors.WaitFor("there is no server to read its keys from any more");
        await cluster.Servers[0].Restart();
        await process.Errors.WaitFor($"read from 127.0.0.1:{cluster.Servers[0].Port} now");
        var before = KeysAt(cluster, cluster.Servers[0]);
        await WaitForKeys(cluster, cluster.Servers[0], before + 30);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBeOneOf(4, 130);
        record.ShouldAccountForAllKeys();
        record.EventKinds().ShouldContain("failover");
        record.EventKinds().ShouldContain("disconnected");
        record.Shards()[0].CountOf("unsent").ShouldBeGreaterThan(0);
        foreach (var other in record.Shards().Skip(1))
            other.CountOf("read").ShouldBe(other.CountOf("asked"));
    }

    [Fact]
    public async Task Run_WhoseSlotsMove_FollowsThemAndAccountsForEveryKey()
    {
        await using var cluster = await Start();
        await using var process = DelayProcess.Start(
            cluster.Uri, cluster.Uri, "--duration", "10m", "--rate", "150", "--warmup", "0", "--deadline", "20s",
            "--expiry", "5m");
        await WaitForKeys(cluster, cluster.Servers[0], 30);

        // The keys of a shard are of a slot amid its range.
        await cluster.MigrateSlots(cluster.Servers[0], cluster.Servers[1], 2728, 2732);
        await process.Errors.WaitFor($"written to 127.0.0.1:{cluster.Servers[1].Port} now");
        var before = KeysAt(cluster, cluster.Servers[4]);
        await WaitForKeys(cluster, cluster.Servers[4], before + 60);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBeOneOf(4, 130);
        record.ShouldAccountForAllKeys();
        record.EventKinds().ShouldContain("slots-moved");
        var shard = record.Shards()[0];
        shard["delay"]!["source"]!.GetValue<string>().ShouldBe($"127.0.0.1:{cluster.Servers[1].Port}");
        shard["delay"]!["destination"]!.GetValue<string>().ShouldBe($"127.0.0.1:{cluster.Servers[4].Port}");
        shard.CountOf("refused").ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task Run_OnAClusterWithoutReplicas_IsRefused()
    {
        await using var cluster = await Start(replicas: 0);
        await using var process = DelayProcess.Start(cluster.Uri, cluster.Uri, "--link-timeout", "300ms");

        (await process.End()).ShouldBe(3);

        process.Errors.ToString().ShouldContain("names no replica that is the destination of slots 0-5460: nothing of that shard");
    }

    [Fact]
    public async Task Run_OnACluster_NeedsTheDocumentedRightsOnly()
    {
        await using var cluster = await Start();
        foreach (var server in cluster.Servers)
        {
            using var connection = cluster.Open(server);
            connection.Execute(
                "ACL", "SETUSER", "probe", "on", ">secret", "resetkeys", "~redislatency:delay:*", "resetchannels", "-@all",
                "+set", "+exists", "+wait", "+info", "+hello", "+mget", "+get", "+cluster|slots", "+readonly");
        }

        var endpoint = cluster.Uri.Replace("redis+cluster://", "redis+cluster://probe:secret@", StringComparison.Ordinal);
        await using var process = DelayProcess.Start(
            endpoint, endpoint, "--keys", "90", "--rate", "300", "--deadline", "20s");

        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.Count("read").ShouldBe(90);
    }

    private static Task<RedisClusterProcesses> Start(int replicas = 1) =>
        RedisClusterProcesses.Start(new RedisClusterOptions
        {
            ReplicasPerPrimary = replicas,
            // A server that hears of a demotion before it hears of the promotion misses the shard for a moment, and
            // would answer for no other either.
            Arguments = ["--cluster-require-full-coverage", "no"],
        });

    private static Task WaitForKeys(RedisClusterProcesses cluster, RedisServerProcess server, long count) =>
        Eventually.Is("keys arrive", () => KeysAt(cluster, server) > count);

    private static long KeysAt(RedisClusterProcesses cluster, RedisServerProcess server)
    {
        using var connection = cluster.Open(server);
        return connection.Execute("DBSIZE").Number;
    }
}
