using RedisLatency.Replication.Tests.Probe;
using RedisLatency.Replication.Tests.Sides;

namespace RedisLatency.Replication.Tests.Nodes;

/// <summary>A cluster whose replicas tell of keys by themselves.</summary>
[Collection(SharedCluster.Name)]
public class ClusterPushTests(SharedCluster cluster)
{
    [Theory]
    [InlineData("auto", "push (client tracking)")]
    [InlineData("2", "push (keyspace notifications)")]
    public async Task Run_ReadByPushes_SeesTheKeysOfEveryShard(string protocol, string name)
    {
        var uri = cluster.Processes.Uri;
        await using var process = DelayProcess.Start(
            uri, uri, "--keys", "150", "--rate", "300", "--warmup", "0", "--deadline", "20s", "--wait-interval", "0",
            "--reading", "push", "--protocol", protocol);

        var (code, record) = await process.End().End(process);

        record.ShouldBeValidUnlessLate(code, process);
        record.ShouldAccountForAllKeys();
        record.Keys()["reading"]!.GetValue<string>().ShouldBe(name);
        record.Shards().Select(shard => shard["delay"]!["read"]!.GetValue<long>()).ShouldBe([50, 50, 50]);
        record.Mean("delay-lower").ShouldBe(record.Mean("delay-upper"));
    }

    [Fact]
    public async Task Run_WhoseShardFailsOverWhileItPushes_CountsNoPushOfTheServerThatTookOver()
    {
        var uri = cluster.Processes.Uri;
        var (primary, replica) = cluster.ShardOf(2_000);
        await using var process = DelayProcess.Start(
            uri, uri, "--duration", "10m", "--rate", "150", "--warmup", "0", "--deadline", "20s", "--expiry", "5m",
            "--wait-interval", "0", "--reading", "push", "--each-key");
        await cluster.WaitForMoreKeys(replica, 30);

        await cluster.Processes.Failover(replica);
        await process.Errors.WaitFor($"written to {SharedCluster.Named(replica)} now");
        await process.Errors.WaitFor($"read from {SharedCluster.Named(primary)} now");
        await cluster.WaitForMoreKeys(primary, 30);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBeOneOf([4, 130], process.ToString());
        record.ShouldAccountForAllKeys();
        record.EventKinds().ShouldContain("failover");
        var shard = record.Shards()[0]["delay"]!;
        shard["destination"]!.GetValue<string>().ShouldBe(SharedCluster.Named(primary));
        shard["read"]!.GetValue<long>().ShouldBeGreaterThan(50);
        shard["missing"]!.GetValue<long>().ShouldBe(0);
        foreach (var other in record.Shards().Skip(1))
            other["delay"]!["read"]!.GetValue<long>().ShouldBe(other["delay"]!["asked"]!.GetValue<long>());
    }

    [Fact]
    public async Task Read_ByPushesWhileAShardFailsOver_AccountsForEveryKey()
    {
        var uri = cluster.Processes.Uri;
        var (primary, replica) = cluster.ShardOf(8_000);
        await using var reader = RemoteProcess.Read(
            uri, "--control", uri, "--deadline", "20s", "--run", "pushes", "--reading", "push",
            "--protocol", "2");
        await using var writer = RemoteProcess.Write(
            uri, "--duration", "10m", "--rate", "150", "--expiry", "5m", "--run", "pushes");

        var record = await cluster.FailOver(primary, replica, writer, reader);

        record.Keys()["reading"]!.GetValue<string>().ShouldBe("push (keyspace notifications)");
        record.Shards()[1]["delay"]!["read"]!.GetValue<long>().ShouldBeGreaterThan(50);
        record.Shards()[1]["delay"]!["missing"]!.GetValue<long>().ShouldBe(0);
        foreach (var other in new[] { record.Shards()[0], record.Shards()[2] })
            other["delay"]!["read"]!.GetValue<long>().ShouldBe(other["delay"]!["asked"]!.GetValue<long>());
    }
}
