using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Replication.Tests.Probe;
using RedisLatency.Server;

namespace RedisLatency.Replication.Tests.Servers;

/// <summary>A real cluster whose keys are read at several destinations.</summary>
[Collection(SharedCluster.Name)]
public class ClusterDestinationsTests(SharedCluster cluster)
{
    // A slot of each shard.
    private static readonly int[] Slots = [2_000, 8_000, 14_000];

    [Fact]
    public async Task Run_FromAClusterToItsReplicasAndToAServerAlone_MeasuresEveryShardAtBoth()
    {
        var uri = cluster.Processes.Uri;
        using var alone = InProcessServer.Start();
        await using var process = DelayProcess.Start(
            uri, [uri, alone.Endpoint], "--keys", "60", "--rate", "1k", "--warmup", "0", "--deadline", "20s",
            "--wait-interval", "0", "--prefix", "copied");

        await Copy("copied:*:first", 2, alone);
        await Copy("copied:*", 22, alone);
        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(120);
        record.ShouldBeLoggedByParts(process);
        record.Destinations().Select(one => one.CountOf("read")).ShouldBe([60, 60]);
        var shards = record.Shards().Skip(2).ToList();
        shards.Select(shard => shard.CountOf("read")).ShouldBe([20, 20, 20, 20, 20, 20]);
        shards.Select(shard => shard["delay"]!["source"]!.GetValue<string>()).ShouldBe(
            Slots.Concat(Slots).Select(slot => SharedCluster.Named(cluster.ShardOf(slot).Primary)));
        shards.Select(shard => shard["delay"]!["destination"]!.GetValue<string>()).ShouldBe(
            Slots.Select(slot => SharedCluster.Named(cluster.ShardOf(slot).Replica))
                .Concat(Enumerable.Repeat(RedisEndpoint.Parse(alone.Endpoint).Address, 3)));
    }

    [Fact]
    public async Task Run_WhoseShardFailsOver_FollowsItAtEachDestinationAndReportsOnce()
    {
        var uri = cluster.Processes.Uri;
        var (primary, replica) = cluster.ShardOf(Slots[1]);
        using var alone = InProcessServer.Start();
        await using var process = DelayProcess.Start(
            uri, [alone.Endpoint, uri], "--duration", "10m", "--rate", "150", "--warmup", "0", "--deadline", "4s",
            "--expiry", "5m", "--link-timeout", "60s", "--wait-interval", "0", "--prefix", "failover");
        // Nothing else comes there: all of its keys are missing.
        await Copy("failover:*:first", 1, alone);
        await cluster.WaitForMoreKeys(replica, 30);

        await cluster.Processes.Failover(replica);
        await process.Errors.WaitFor($"written to {SharedCluster.Named(replica)} now");
        await process.Errors.WaitFor($"read from {SharedCluster.Named(primary)} now");
        await cluster.WaitForMoreKeys(primary, 30);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBeOneOf([4, 130], process.ToString());
        record.ShouldAccountForAllKeys();
        // Where both maps lack the replica, because it was not fit to be read just then, only the change is known.
        record["events"]!.AsArray()
            .Where(happened => happened!["text"]!.GetValue<string>().Contains("written to", StringComparison.Ordinal))
            .Select(happened => happened!["kind"]!.GetValue<string>())
            .ShouldHaveSingleItem().ShouldBeOneOf("failover", "source-changed");
        record.Destinations()[0].CountOf("read").ShouldBe(0);
        var shards = record.Shards().Skip(2 + Slots.Length).ToList();
        shards[1]["delay"]!["source"]!.GetValue<string>().ShouldBe(SharedCluster.Named(replica));
        shards[1]["delay"]!["destination"]!.GetValue<string>().ShouldBe(SharedCluster.Named(primary));
        shards[1].CountOf("read").ShouldBeGreaterThan(50);
        foreach (var other in new[] { shards[0], shards[2] })
            other.CountOf("read").ShouldBe(other.CountOf("asked"));
    }

    [Fact]
    public async Task Run_ToTwoNodesOfTheSourcesCluster_IsRefusedWithTheReason()
    {
        var servers = Slots.Select(slot => cluster.ShardOf(slot).Replica.Uri).ToArray();
        await using var process = DelayProcess.Start(cluster.Processes.Uri, servers[..2]);

        (await process.End()).ShouldBe(3, process.ToString());

        process.Errors.ToString().ShouldContain("which replica of a shard belongs to which is not known");
    }

    // The test is the replicator of what a cluster's own replicas have by themselves.
    private async Task Copy(string pattern, int count, InProcessServer server)
    {
        using var to = RedisConnection.Open(RedisEndpoint.Parse(server.Endpoint), Patience.Connection);
        foreach (var slot in Slots)
        {
            using var from = cluster.Processes.Open(cluster.ShardOf(slot).Primary);
            string[] keys = [];
            await Eventually.Is(
                "the keys are written",
                () => (keys = [.. from.Execute("KEYS", pattern).Items.Select(key => key.Text)]).Length >= count);
            foreach (var key in keys)
                to.Execute("SET", key, from.Execute("GET", key).Text);
        }
    }
}
