using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Tests.Probe;
using RedisLatency.Replication.Tests.Rendezvous;

namespace RedisLatency.Replication.Tests.Servers;

/// <summary>A writer and a reader in two processes, at one cluster.</summary>
[Collection(SharedCluster.Name)]
public class RemoteClusterTests(SharedCluster cluster)
{
    [Fact]
    public async Task Read_AtTheClusterThatIsWrittenTo_MeasuresEveryShardAtItsReplicaByTheDocumentedRights()
    {
        foreach (var server in cluster.Processes.Servers)
        {
            using var connection = cluster.Processes.Open(server);
            AddUser(connection, "probe-writer", "+set", "+exists", "+wait");
            AddUser(connection, "probe-reader", "+mget", "+get", "+readonly", "+role");
        }

        var oneNode = $"redis://probe-writer:secret@{SharedCluster.Named(cluster.Processes.Servers[1])}";
        await using var reader = RemoteProcess.Read(
            With("probe-reader"), "--control", With("probe-reader"), "--deadline", "20s", "--run", "shards",
            "--region", "there");
        await using var writer = RemoteProcess.Write(
            oneNode, "--keys", "300", "--rate", "300", "--writers", "2", "--expiry", "2m",
            "--run", "shards", "--region", "here");

        var (code, record) = await reader.End().End(reader);
        var (writerCode, written) = await writer.End().End(writer);

        written.ShouldBeValidUnlessLate(writerCode, writer);
        code.ShouldBe(0, reader.ToString());
        record.ShouldAccountForAllKeys();
        record.Count("read").ShouldBe(300);
        record.ShouldBeLoggedByParts(reader);
        record.Keys()["sourceRegion"]!.GetValue<string>().ShouldBe("here");
        record.Keys()["destinationRegion"]!.GetValue<string>().ShouldBe("there");
        var shards = record.Shards();
        shards.Select(shard => shard.CountOf("read")).ShouldBe([100, 100, 100]);
        foreach (var (shard, slot) in shards.Zip([2_000, 8_000, 14_000]))
        {
            var (primary, replica) = cluster.ShardOf(slot);
            shard["delay"]!["source"]!.GetValue<string>().ShouldBe(SharedCluster.Named(primary));
            shard["delay"]!["destination"]!.GetValue<string>().ShouldBe(SharedCluster.Named(replica));
            shard["latencies"]!.AsArray().Select(series => series!["count"]!.GetValue<long>()).ShouldAllBe(count => count == 100);
        }

        record["targets"]!.AsArray().Count.ShouldBe(3);
        written["targets"]!.AsArray().Count.ShouldBe(3);
    }

    [Fact]
    public async Task Read_WhileAShardFailsOver_FollowsItAndAccountsForEveryKey()
    {
        var uri = cluster.Processes.Uri;
        var (primary, replica) = cluster.ShardOf(2_000);
        await using var reader = RemoteProcess.Read(uri, "--control", uri, "--deadline", "20s", "--run", "failover");
        await using var writer = RemoteProcess.Write(
            uri, "--duration", "10m", "--rate", "150", "--expiry", "5m", "--run", "failover");

        var record = await cluster.FailOver(primary, replica, writer, reader);

        record.EventKinds().ShouldContain("destination-changed");
        var shard = record.Shards()[0];
        shard["delay"]!["destination"]!.GetValue<string>().ShouldBe(SharedCluster.Named(primary));
        shard.CountOf("read").ShouldBeGreaterThan(50);
        shard.CountOf("missing").ShouldBe(0);
        foreach (var other in record.Shards().Skip(1))
            other.CountOf("read").ShouldBe(other.CountOf("asked"));
        record.Count("asked").ShouldBe(
            System.Text.Json.Nodes.JsonNode.Parse(writer.Output.ToString())!.Count("asked"));
    }

    [Fact]
    public async Task Read_WhileTheSlotOfAShardsKeysMovesAwayAndBack_FollowsItAndAccountsForEveryKey()
    {
        var uri = cluster.Processes.Uri;
        var (home, homeReplica) = cluster.ShardOf(2_000);
        var (away, awayReplica) = cluster.ShardOf(8_000);
        cluster.ForgetCommands();
        await using var reader = RemoteProcess.Read(
            uri, "--control", uri, "--deadline", "20s", "--run", "moved");
        await using var writer = RemoteProcess.Write(
            uri, "--duration", "10m", "--rate", "150", "--expiry", "5m", "--wait-interval", "0",
            "--run", "moved");
        await cluster.WaitForMoreKeys(homeReplica, 30);

        // The keys of a shard are of a slot amid its range.
        await cluster.Processes.MigrateSlots(home, away, 2_728, 2_732);
        await writer.Errors.WaitFor($"written to {SharedCluster.Named(away)} now");
        await reader.Errors.WaitFor($"read from {SharedCluster.Named(awayReplica)} now");
        await cluster.WaitForMoreKeys(awayReplica, 60);
        await cluster.Processes.MigrateSlots(away, home, 2_728, 2_732);
        await writer.Errors.WaitFor($"written to {SharedCluster.Named(home)} now");
        await reader.Errors.WaitFor($"read from {SharedCluster.Named(homeReplica)} now");
        await cluster.WaitForMoreKeys(homeReplica, 30);
        var (code, written) = await writer.EndBy("INT").End(writer);
        var (readerCode, record) = await reader.End().End(reader);

        code.ShouldBe(written.CodeOfStop(130), writer.ToString());
        readerCode.ShouldBeOneOf([0, 4], reader.ToString());
        record.ShouldAccountForAllKeys();
        record.Count("asked").ShouldBe(written.Count("asked"));
        record.Count("refused").ShouldBe(written.Count("refused"));
        record.Count("unsent").ShouldBe(written.Count("unsent"));
        record.Count("missing").ShouldBe(0, reader.ToString());
        written.EventKinds().Count(kind => kind == "slots-moved").ShouldBe(2, writer.ToString());
        record.EventKinds().ShouldContain("destination-changed");
        record.Shards()[0].CountOf("read").ShouldBeGreaterThan(80);
        record.Shards()[0]["delay"]!["destination"]!.GetValue<string>().ShouldBe(SharedCluster.Named(homeReplica));
        foreach (var other in record.Shards().Skip(1))
            other.CountOf("read").ShouldBe(other.CountOf("asked"), reader.ToString());
        // Nothing was read where it is written.
        cluster.CommandsAt(awayReplica).ShouldContain("cmdstat_mget");
        foreach (var primary in new[] { home, away })
            cluster.CommandsAt(primary).ShouldNotContain("cmdstat_mget");
    }

    private static void AddUser(RedisConnection connection, string name, params string[] more) => connection.Execute(
    [
        "ACL", "SETUSER", name, "on", ">secret", "resetkeys", "~redislatency:delay:*", "resetchannels", "&redislatency:*",
        "-@all", "+info", "+hello", "+subscribe", "+publish", "+cluster|slots", .. more,
    ]);

    private string With(string user) => cluster.Processes.Uri.Replace(
        "redis+cluster://", $"redis+cluster://{user}:secret@", StringComparison.Ordinal);
}
