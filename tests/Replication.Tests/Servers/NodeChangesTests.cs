using RedisLatency.Redis.Connections;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Tests.Servers;

public class NodeChangesTests
{
    private static readonly NodeState Primary = new() { RunId = "a", Role = "master", FullResyncs = 1, Flushes = 3 };

    private static readonly NodeState Replica = new()
    {
        RunId = "b",
        Role = "slave",
        Primary = "10.0.0.5:6379",
        Link = "up",
    };

    [Fact]
    public void Between_TwoEqualStates_IsNothing()
    {
        KindsOf(Primary, Primary).ShouldBeEmpty();
        KindsOf(Replica, Replica).ShouldBeEmpty();
    }

    [Fact]
    public void Between_WhatCanHappenToAPrimary_NamesIt()
    {
        KindsOf(Primary, Primary with { FullResyncs = 2 }).ShouldBe(["full-resync"]);
        KindsOf(Primary, Primary with { PartialResyncs = 1 }).ShouldBe(["partial-resync"]);
        KindsOf(Primary, Primary with { Flushes = 4 }).ShouldBe(["flushed"]);
        KindsOf(Primary, Primary with { Evictions = 1 }).ShouldBe(["evicted"]);
        KindsOf(Primary, Primary with { Role = "slave", Primary = "10.2.0.5:6379", Link = "down" }).ShouldBe(["failover"]);
    }

    [Fact]
    public void Between_WhatCanHappenToAReplica_NamesIt()
    {
        KindsOf(Replica, Replica with { Link = "down" }).ShouldBe(["link-down"]);
        KindsOf(Replica with { Link = "down" }, Replica).ShouldBe(["link-up"]);
        KindsOf(Replica, Replica with { IsReceivingCopy = true, Link = "down" }).ShouldBe(["link-down", "full-resync"]);
        KindsOf(Replica, Replica with { Primary = "10.3.0.5:6379" }).ShouldBe(["failover"]);
        KindsOf(Replica, new NodeState { RunId = "b", Role = "master" }).ShouldBe(["promoted"]);
    }

    [Fact]
    public void Between_TwoStartsOfAServer_CountsAnew()
    {
        KindsOf(Primary, Primary with { RunId = "c", FullResyncs = 0, Flushes = 0 }).ShouldBe(["restarted"]);
        KindsOf(Primary, Primary with { RunId = "c", FullResyncs = 1, Flushes = 0 })
            .ShouldBe(["restarted", "full-resync"]);
    }

    [Fact]
    public void Of_TheFieldsOfInfo_IsWhatTheySay()
    {
        var fields = ServerFacts.FieldsOf(
            "# Server\r\nrun_id:b\r\nrole:slave\r\nmaster_host:10.0.0.5\r\nmaster_port:6379\r\n"
            + "master_link_status:up\r\nmaster_sync_in_progress:0\r\nsync_full:0\r\n"
            + "cmdstat_flushall:calls=2,usec=9\r\ncmdstat_flushdb:calls=1,usec=3\r\n");

        NodeState.Of(fields).ShouldBe(Replica with { Flushes = 3 });
        NodeState.Of(new Dictionary<string, string>()).ShouldBe(new NodeState());
    }

    private static IEnumerable<string> KindsOf(NodeState before, NodeState after) =>
        NodeChanges.Between("source", before, after).Select(change => change.Kind);
}
