using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;
using RedisLatency.Redis.StackExchange;
using RedisLatency.Redis.Tests.Lanes;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Redis.Tests.Topology;

/// <summary>Against clusters of six server processes.</summary>
[Collection(nameof(ProcessesCollection))]
public sealed class RealClusterTests
{
    private static readonly TimeSpan Limit = ServiceProcess.LimitAgainstHangs;

    [Theory]
    [InlineData("redis-server")]
    [InlineData("valkey-server")]
    public async Task Map_IsTheClusters_AfterCreationFailoverAndDeath(string program)
    {
        await using var cluster = await ClusterTest.Start(new() { Program = program, Password = "secret" });
        using var source = SlotMapSource.Open(RedisEndpoint.Parse(cluster.Uri));
        using var client = new ClusterTest(source);

        var map = source.Current;
        map.IsComplete.ShouldBeTrue();
        ClusterTest.Ports(map).ShouldBe(cluster.Servers.Take(3).Select(server => server.Port));
        map.Shards.SelectMany(shard => shard.Replicas).Select(node => node.Endpoint.Port)
            .ShouldBe(cluster.Servers.Skip(3).Select(server => server.Port));
        ReadsTheSame(cluster);
        AgreesOnSlots(cluster, map);

        // A promotion while all are well: the old primary leads to the new one.
        await cluster.Failover(cluster.Servers[4]);
        client.Execute(8000, "SET", ClusterTest.Key(8000), "v").Text.ShouldBe("OK");
        client.Moved.ShouldBe(1);
        map = source.WaitForNewer(map, Limit);
        map.PrimaryOf(8000)!.Endpoint.Port.ShouldBe(cluster.Servers[4].Port);
        map.ShardOf(8000)!.Replicas.Single().Endpoint.Port.ShouldBe(cluster.Servers[1].Port);

        // A death: whoever finds its primary gone doubts the map until the cluster has another one.
        var promoted = await cluster.KillPrimary(cluster.Servers[0]);
        promoted.ShouldBe(cluster.Servers[3]);
        map = source.Renew(map, Limit);
        map.PrimaryOf(0)!.Endpoint.Port.ShouldBe(promoted.Port);
        client.Execute(0, "SET", ClusterTest.Key(0), "v").Text.ShouldBe("OK");
        source.Failures.ShouldBe(0);
    }

    [Fact]
    public async Task Slots_ThatMoveWhileTheyAreRead_AreFollowed()
    {
        await using var cluster = await ClusterTest.Start(
            new() { ReplicasPerPrimary = 0, NodeTimeout = TimeSpan.FromSeconds(15) });
        using var source = SlotMapSource.Open(RedisEndpoint.Parse(cluster.Uri), leastInterval: TimeSpan.Zero);
        using var client = new ClusterTest(source);
        for (var slot = 0; slot < 64; slot++)
            client.Execute(slot, "SET", ClusterTest.Key(slot), $"{slot}").Text.ShouldBe("OK");

        var moving = cluster.MigrateSlots(cluster.Servers[0], cluster.Servers[2], 0, 63);
        do
        {
            for (var slot = 0; slot < 64; slot++)
                client.Execute(slot, "GET", ClusterTest.Key(slot)).Text.ShouldBe($"{slot}");
        }
        while (!moving.IsCompleted);
        await moving;

        client.Moved.ShouldBeGreaterThan(0);
        source.Renew(source.Current, Limit).ToString().ShouldBe(
            $"0-63 10922-16383: 127.0.0.1:{cluster.Servers[2].Port}\n64-5460: 127.0.0.1:{cluster.Servers[0].Port}\n"
            + $"5461-10921: 127.0.0.1:{cluster.Servers[1].Port}");
    }

    [Fact]
    public async Task Slot_HalfMoved_IsAskedForWhereItsKeysAre()
    {
        await using var cluster = await ClusterTest.Start(
            new() { ReplicasPerPrimary = 0, NodeTimeout = TimeSpan.FromSeconds(15) });
        using var source = SlotMapSource.Open(RedisEndpoint.Parse(cluster.Uri));
        using var client = new ClusterTest(source);
        using var from = cluster.Open(cluster.Servers[0]);
        using var to = cluster.Open(cluster.Servers[1]);
        var key = ClusterTest.Key(7);
        to.Execute("CLUSTER", "SETSLOT", "7", "IMPORTING", from.Execute("CLUSTER", "MYID").Text);
        from.Execute("CLUSTER", "SETSLOT", "7", "MIGRATING", to.Execute("CLUSTER", "MYID").Text);

        client.Execute(7, "SET", key, "new").Text.ShouldBe("OK");
        client.Execute(7, "GET", key).Text.ShouldBe("new");
        from.Execute("CLUSTER", "COUNTKEYSINSLOT", "7").Number.ShouldBe(0);
        to.Execute("CLUSTER", "COUNTKEYSINSLOT", "7").Number.ShouldBe(1);

        client.Asked.ShouldBe(2);
        client.Moved.ShouldBe(0);
        source.Refreshes.ShouldBe(0);
        IsKind(from.Request("MGET", key, $"{key}2"), ErrorKind.Ask);
        from.Execute("CLUSTER", "COUNTKEYSINSLOT", "8").Number.ShouldBe(0);
        IsKind(from.Request("MGET", key, ClusterTest.Key(8)), ErrorKind.Final);
        to.Execute("ASKING");
        IsKind(to.Request("MGET", key, $"{key}2"), ErrorKind.Passing);
    }

    [Fact]
    public async Task StalledAndDeadServers_DoNotKeepTheMapFromBeingRenewed()
    {
        await using var cluster = await ClusterTest.Start(new() { NodeTimeout = TimeSpan.FromMinutes(1) });
        using var source = SlotMapSource.Open(RedisEndpoint.Parse(cluster.Uri), leastInterval: TimeSpan.Zero);
        cluster.Servers[0].Pause();
        await cluster.Servers[1].Kill();

        var map = source.Current;
        for (var i = 0; i < 12; i++)
            map = source.Renew(map, Limit);

        map.Version.ShouldBe(12);
        source.Failures.ShouldBe(0);
    }

    [Theory]
    [InlineData("raw")]
    [InlineData("StackExchange.Redis")]
    public async Task Lane_ToACluster_CarriesMessages_ThoughItsFirstServerIsDead(string driver)
    {
        await using var cluster = await ClusterTest.Start(
            new() { ReplicasPerPrimary = 0, NodeTimeout = TimeSpan.FromMinutes(1) });
        await cluster.Servers[0].Kill();
        var endpoint = RedisEndpoint.Parse(cluster.Uri);
        var channels = new LaneOptions { PublishChannels = ["a"], SubscribeChannels = ["a"] };
        // StackExchange.Redis spends the whole limit on the dead server, which others tell it of.
        var options = new RedisConnectionOptions { ConnectTimeout = TimeSpan.FromSeconds(2) };
        using var lane = driver == "raw"
            ? (IPubSubLane)RawLane.Open(endpoint, options, channels)
            : StackExchangeLane.Open(endpoint, options, channels);

        lane.Publish(0, [7]);

        LaneTest.Receive(lane).Payload.ToArray().ShouldBe([7]);
    }

    private static void IsKind(Redis.Resp.RespValue reply, ErrorKind kind) =>
        ErrorReply.KindOf(reply.Content).ShouldBe(kind, reply.ToString());

    /// <summary>Both commands, in both protocols, give the same map.</summary>
    private static void ReadsTheSame(RedisClusterProcesses cluster)
    {
        var maps = new List<string>();
        foreach (var protocol in (RespPreference[])[RespPreference.Resp2, RespPreference.Resp3])
        {
            var endpoint = RedisEndpoint.Parse(cluster.Uri).Servers[0];
            using var connection = RedisConnection.Open(endpoint, Patience.Connection with { Protocol = protocol });
            var nodes = new ClusterNodes(endpoint);
            var asked = nodes.Add(endpoint);
            var slots = SlotsReply.Read(connection.Execute("CLUSTER", "SLOTS"), nodes, asked);
            var shards = ShardsReply.Read(connection.Execute("CLUSTER", "SHARDS"), nodes, asked);
            maps.AddRange(new SlotMap(0, slots).ToString(), new SlotMap(0, shards).ToString());
        }

        maps.Distinct().Count().ShouldBe(1, string.Join("\n\n", maps));
    }

    private static void AgreesOnSlots(RedisClusterProcesses cluster, SlotMap map)
    {
        using var connection = cluster.Open(cluster.Servers[5]);
        foreach (var key in (string[])["", "foo", "{a}b", "foo{}{bar}", "foo{{bar}}zap", "x{", "ünïcode{ß}"])
        {
            var slot = KeySlot.Of(System.Text.Encoding.UTF8.GetBytes(key));
            connection.Execute("CLUSTER", "KEYSLOT", key).Number.ShouldBe(slot);
            map.PrimaryOf(slot)!.Endpoint.Port.ShouldBe(cluster.PrimaryOf(slot).Port);
        }
    }
}
