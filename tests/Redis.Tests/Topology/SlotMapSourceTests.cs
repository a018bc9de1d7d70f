using System.Text;
using RedisLatency.Fixtures;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;
using static RedisLatency.Redis.Tests.Topology.Replies;

namespace RedisLatency.Redis.Tests.Topology;

public sealed class SlotMapSourceTests
{
    private static readonly TimeSpan Limit = ServiceProcess.LimitAgainstHangs;

    [Fact]
    public void StormOfDoubts_AsksOnce()
    {
        using var cluster = new FakeCluster(All("h1", 1));
        using var source = cluster.Open(TimeSpan.Zero);
        var map = source.Current;
        cluster.Gate.Reset();

        Parallel.For(0, 10_000, _ => source.Doubt(map));
        cluster.Gate.Set();
        source.WaitForNewer(map, Limit).Version.ShouldBe(1);

        // Replies to what was sent by the old map still come while newer ones are there.
        for (var version = 2; version <= 20; version++)
        {
            Parallel.For(0, 1000, _ => source.Doubt(map));
            source.Renew(source.Current, Limit).Version.ShouldBe(version);
        }

        cluster.Asked.ShouldBe(21);
        source.Refreshes.ShouldBe(20);
    }

    [Fact]
    public void Interval_HoldsBackTheNextQuestion()
    {
        using var cluster = new FakeCluster(All("h1", 1));
        using var source = cluster.Open(TimeSpan.FromHours(1));
        var renewed = source.Renew(source.Current, Limit);

        source.Renew(renewed, TimeSpan.FromMilliseconds(50)).ShouldBeSameAs(renewed);

        cluster.Asked.ShouldBe(2);
    }

    [Fact]
    public void Doubt_DoesNotAllocateOrWait()
    {
        using var cluster = new FakeCluster(All("h1", 1));
        using var source = cluster.Open();
        var map = source.Current;
        cluster.Gate.Reset();
        source.Doubt(map);

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 1000; i++)
            source.Doubt(map);

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
        source.Current.ShouldBeSameAs(map);
    }

    [Fact]
    public void Servers_KeepTheirNumbers_WhateverTheMapSays()
    {
        using var cluster = new FakeCluster(Array(
            Range(0, 100, Server("h1", 1), Server("h2", 2)), Range(101, 16383, Server("h3", 3))));
        using var source = cluster.Open();
        var before = source.Current;
        cluster.Slots = Array(Range(0, 16383, Server("h2", 2), Server("h9", 9), Server("h1", 1)));

        var after = source.Renew(before, Limit);

        after.PrimaryOf(0).ShouldBeSameAs(before.ShardOf(0)!.Replicas[0]);
        after.ShardOf(0)!.Replicas[1].ShouldBeSameAs(before.PrimaryOf(0));
        source.Nodes.Select(node => node.Number).ShouldBe(Enumerable.Range(0, source.Nodes.Count));
        source.Nodes.Select(node => node.Endpoint.Host).ShouldBe(["127.0.0.1", "h1", "h2", "h3", "h9"]);
    }

    [Fact]
    public void Redirection_LeadsToItsServer_WithoutAllocatingWhereItIsKnown()
    {
        using var cluster = new FakeCluster(All("10.0.0.1", 7001));
        using var source = cluster.Open();
        var asked = source.Current.PrimaryOf(0)!;
        var bytes = Encoding.ASCII.GetBytes("ASK 7 10.0.0.2:7002");
        Redirection.TryParse(bytes, out var ask).ShouldBeTrue();
        Redirection.TryParse("MOVED 7 :7003"u8, out var beside).ShouldBeTrue();

        var other = source.NodeOf(ask, asked);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 1000; i++)
            source.NodeOf(ask, asked);
        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;

        allocated.ShouldBe(0);
        other.Endpoint.Address.ShouldBe("10.0.0.2:7002");
        source.NodeOf(ask, asked).ShouldBeSameAs(other);
        source.NodeOf(beside, asked).Endpoint.Address.ShouldBe("10.0.0.1:7003");
        source.Nodes[other.Number].ShouldBeSameAs(other);
    }

    [Fact]
    public void DeadServers_DoNotMatterWhileOneLives()
    {
        using var living = new FakeCluster(All("h1", 1));
        var dead = $"127.0.0.1:{FreePort.Next()}";
        var uri = $"redis+cluster://{dead},{living.Uri["redis://".Length..]},127.0.0.1:{FreePort.Next()}";
        using var source = SlotMapSource.Open(RedisEndpoint.Parse(uri), leastInterval: TimeSpan.Zero);

        var map = source.Current;
        for (var i = 0; i < 5; i++)
            map = source.Renew(map, Limit);

        map.Version.ShouldBe(5);
        source.Failures.ShouldBe(0);
        source.LastError.ShouldBeNull();
    }

    [Fact]
    public void Witness_IsAskedFirst()
    {
        using var other = new FakeCluster(All("new", 1));
        var port = RedisEndpoint.Parse(other.Uri).Port;
        using var seed = new FakeCluster(Array(
            Range(0, 100, Server("127.0.0.1", port)), Range(101, 16383, Server("127.0.0.1", port))));
        using var source = seed.Open(TimeSpan.Zero);
        var witness = source.Current.PrimaryOf(0)!;

        for (var i = 0; i < 4; i++)
        {
            var map = source.Current;
            source.Doubt(map, witness);
            source.WaitForNewer(map, Limit).PrimaryOf(0)!.Endpoint.Host.ShouldBe("new");
        }

        seed.Asked.ShouldBe(1);
    }

    [Fact]
    public void Map_ThatIsWrong_DoesNotReplaceTheOneThereIs()
    {
        using var cluster = new FakeCluster(All("h1", 1));
        using var source = cluster.Open(TimeSpan.Zero);
        var map = source.Current;
        cluster.Slots = Array(Range(0, 9, Server("a", 1)), Range(9, 10, Server("b", 1)));

        source.Doubt(map);
        SpinWait.SpinUntil(() => source.Failures > 1, Limit).ShouldBeTrue();

        source.Current.ShouldBeSameAs(map);
        source.LastError!.Message.ShouldContain("slot 9 is claimed");
        cluster.Slots = All("h2", 2);
        source.WaitForNewer(map, Limit).PrimaryOf(0)!.Endpoint.Address.ShouldBe("h2:2");
    }

    [Fact]
    public void Server_WithoutSlotsCommand_IsAskedForShards()
    {
        using var cluster = new FakeCluster("-ERR unknown subcommand 'SLOTS'\r\n")
        {
            Shards = Array(Shard([0, 16383], Member("role", "master", "port", "7001", "endpoint", "h1"))),
        };
        using var source = cluster.Open();

        source.Current.ToString().ShouldBe("0-16383: h1:7001");
    }

    [Fact]
    public void Server_ThatIsInNoCluster_IsExplained()
    {
        using var cluster = new FakeCluster("-ERR This instance has cluster support disabled\r\n");

        var problem = Should.Throw<RedisConnectException>(() => cluster.Open());

        problem.Reason.ShouldBe(ConnectFailure.RefusedByServer);
        problem.Message.ShouldContain("cluster-enabled");
        problem.IsTransient.ShouldBeFalse();
    }

    [Fact]
    public void User_WithoutTheRight_IsToldTheLine()
    {
        using var cluster = new FakeCluster("-NOPERM no permissions to run the 'cluster|slots' command\r\n");

        var problem = Should.Throw<RedisConnectException>(() => cluster.Open());

        problem.Reason.ShouldBe(ConnectFailure.NotPermitted);
        problem.Message.ShouldContain("ACL SETUSER default +cluster|slots");
    }

    [Fact]
    public void NoServer_IsExplainedForEach()
    {
        var (one, two) = (FreePort.Next(), FreePort.Next());

        var problem = Should.Throw<RedisConnectException>(() => SlotMapSource.Open(
            RedisEndpoint.Parse($"redis+cluster://:c4n4ry@127.0.0.1:{one},127.0.0.1:{two}")));

        problem.Message.ShouldContain($"127.0.0.1:{one}");
        problem.Message.ShouldContain($"127.0.0.1:{two}");
        problem.Message.ShouldNotContain("c4n4ry");
        problem.IsTransient.ShouldBeTrue();
    }

    [Fact]
    public void Disposed_WhileAQuestionIsOpen_Ends()
    {
        using var cluster = new FakeCluster(All("h1", 1));
        var source = cluster.Open();
        source.Doubt(source.Current);

        source.Dispose();
        source.Dispose();

        source.Current.PrimaryOf(0).ShouldNotBeNull();
    }
}
