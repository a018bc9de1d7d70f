using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Server;

namespace RedisLatency.Replication.Tests.Delay.Destinations;

/// <summary>A real cluster whose keys are read at several destinations.</summary>
public class ClusterDestinationsTests
{
    [Fact]
    public async Task Run_FromAClusterToItsReplicasAndToAServerAlone_MeasuresEveryShardAtBoth()
    {
        await using var cluster = await Start();
        await using var alone = InProcessServer.Start();
        using var to = RedisConnection.Open(RedisEndpoint.Parse(alone.Endpoint), Patience.Connection);
        await using var process = DelayProcess.Start(
            cluster.Uri, [cluster.Uri, alone.Endpoint], "--keys", "60", "--rate", "1k", "--warmup", "0",
            "--deadline", "20s", "--wait-interval", "0");

        await Copy(cluster, to, ":first", 2);
        await Copy(cluster, to, string.Empty, 22);
        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(120);
        record.Destinations().Select(one => one.CountOf("read")).ShouldBe([60, 60]);
        var shards = record.Shards().Skip(2).ToList();
        shards.Select(shard => shard.CountOf("read")).ShouldBe([20, 20, 20, 20, 20, 20]);
        shards.Select(shard => shard["delay"]!["source"]!.GetValue<string>()).ShouldBe(
            Enumerable.Repeat(cluster.Servers.Take(3).Select(server => $"127.0.0.1:{server.Port}"), 2).SelectMany(one => one));
        shards.Skip(3).ShouldAllBe(shard => shard["delay"]!["destination"]!.GetValue<string>() == to.Endpoint.Address);
    }

    [Fact]
    public async Task Run_ToTwoNodesOfTheSourcesCluster_IsRefusedWithTheReason()
    {
        await using var cluster = await Start();
        await using var process = DelayProcess.Start(cluster.Uri, [cluster.Servers[3].Uri, cluster.Servers[4].Uri]);

        (await process.End()).ShouldBe(3, process.ToString());

        process.Errors.ToString().ShouldContain("which replica of a shard belongs to which is not known");
    }

    private static Task<RedisClusterProcesses> Start()
    {
        var reason = ServerRequirement.ReasonToSkip("redis-server");
        Assert.SkipWhen(reason is not null, reason ?? string.Empty);
        return RedisClusterProcesses.Start(new RedisClusterOptions { ReplicasPerPrimary = 1 });
    }

    // The test is the replicator of what a cluster's own replicas have by themselves.
    private static async Task Copy(RedisClusterProcesses cluster, RedisConnection to, string end, int count)
    {
        foreach (var server in cluster.Servers.Take(3))
        {
            using var from = cluster.Open(server);
            string[] keys = [];
            await Eventually.Is(
                "the keys are written",
                () => (keys = [.. from.Execute("KEYS", $"*{end}").Items.Select(key => key.Text)]).Length >= count);
            foreach (var key in keys)
                to.Execute("SET", key, from.Execute("GET", key).Text);
        }
    }
}
