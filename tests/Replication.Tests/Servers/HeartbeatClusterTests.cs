using RedisLatency.Fixtures;
using RedisLatency.Replication.Tests.Probe;

namespace RedisLatency.Replication.Tests.Servers;

/// <summary>A real cluster of three shards, each with a replica.</summary>
public class HeartbeatClusterTests
{
    [Fact]
    public async Task Heartbeat_OnACluster_HasAKeyAShardAndFollowsAFailover()
    {
        await using var cluster = await RedisClusterProcesses.Start(new RedisClusterOptions
        {
            // A server that hears of a demotion before it hears of the promotion misses the shard for a moment, and
            // would answer for no other either.
            Arguments = ["--cluster-require-full-coverage", "no"],
        });
        await using var process = HeartbeatProcess.Start(cluster.Uri, cluster.Uri, "--interval", "25ms");
        await process.WaitForMetrics("all shards beat", metrics => LeastSeen(metrics) > 5);
        // Each shard has its first key and the one of its heartbeats.
        foreach (var primary in cluster.Servers.Take(3))
        {
            using var connection = cluster.Open(primary);
            connection.Execute("DBSIZE").Number.ShouldBe(2);
        }

        await cluster.Failover(cluster.Servers[3]);
        await process.Errors.WaitFor($"written to 127.0.0.1:{cluster.Servers[3].Port} now");
        await process.Errors.WaitFor($"read from 127.0.0.1:{cluster.Servers[0].Port} now");
        var before = LeastSeen(await process.Metrics());
        await process.WaitForMetrics("all shards beat again", metrics => LeastSeen(metrics) > before + 5);
        var (code, record) = await process.EndBy("INT").End(process);

        code.ShouldBe(record.CodeOfStop(130), process.ToString());
        record.EventKinds().ShouldContain("failover");
        record.Shards().Count.ShouldBe(3);
        foreach (var shard in record.Shards())
            shard.ShouldAccountForAllHeartbeats();
        record.Shards()[0]["delay"]!["source"]!.GetValue<string>().ShouldBe($"127.0.0.1:{cluster.Servers[3].Port}");
        record.Shards()[0]["delay"]!["destination"]!.GetValue<string>().ShouldBe($"127.0.0.1:{cluster.Servers[0].Port}");
    }

    /// <summary>How many heartbeats were seen of the shard of which the fewest were.</summary>
    internal static double LeastSeen(PrometheusText metrics) => metrics
        .Samples("redislatency_replication_heartbeats_total")
        .Where(sample => sample.Key.Contains("outcome=\"seen\"", StringComparison.Ordinal))
        .Select(sample => sample.Value).DefaultIfEmpty().Min();
}
