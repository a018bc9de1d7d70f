using RedisLatency.Fixtures;
using RedisLatency.Replication.Tests.Probe;
using RedisLatency.Replication.Tests.Rendezvous;

namespace RedisLatency.Replication.Tests.Servers;

/// <summary>Heartbeats that one process writes to a cluster, and another reads from its replicas.</summary>
[Collection(SharedCluster.Name)]
public class TwoSidesClusterTests(SharedCluster cluster)
{
    [Fact]
    public async Task Read_OfACluster_HasAHeartbeatAShardAndFollowsAFailover()
    {
        var uri = cluster.Processes.Uri;
        var (primary, replica) = cluster.ShardOf(2_000);
        await using var writer = RemoteHeartbeat.Write(uri, "--interval", "25ms", "--run", "beats");
        await using var reader = RemoteHeartbeat.Read(uri, "--control", uri, "--run", "beats");
        await reader.WaitForMetrics("all shards beat", metrics => HeartbeatClusterTests.LeastSeen(metrics) > 5);

        await cluster.Processes.Failover(replica);
        await writer.Errors.WaitFor($"written to {SharedCluster.Named(replica)} now");
        await reader.Errors.WaitFor($"read from {SharedCluster.Named(primary)} now");
        var before = HeartbeatClusterTests.LeastSeen(await reader.Metrics());
        await reader.WaitForMetrics(
            "all shards beat again", metrics => HeartbeatClusterTests.LeastSeen(metrics) > before + 5);
        var (code, record) = await reader.EndBy("TERM").End(reader);
        var (writerCode, written) = await writer.EndBy("TERM").End(writer);

        code.ShouldBe(record.CodeOfStop(143), reader.ToString());
        record.Shards().Count.ShouldBe(3);
        foreach (var shard in record.Shards())
            shard.ShouldAccountForAllHeartbeats();
        record.Shards()[0]["delay"]!["destination"]!.GetValue<string>().ShouldBe(SharedCluster.Named(primary));
        writerCode.ShouldBe(written.CodeOfStop(143), writer.ToString());
        written.Shards().Count.ShouldBe(3);
        written.Shards()[0]["delay"]!["source"]!.GetValue<string>().ShouldBe(SharedCluster.Named(replica));
        foreach (var shard in written.Shards())
            (shard.CountOf("sent") + shard.CountOf("unsent")).ShouldBe(shard.CountOf("asked"));
    }
}
