using RedisLatency.Replication.Nodes;

namespace RedisLatency.Replication.Tests.Nodes;

public class EndChangesTests
{
    private static readonly EndState Primary = new() { RunId = "a", Role = "master", FullResyncs = 1, Flushes = 3 };

    private static readonly EndState Replica = new()
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
        KindsOf(Replica, new EndState { RunId = "b", Role = "master" }).ShouldBe(["promoted"]);
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
        var fields = new Dictionary<string, string>();
        EndState.Add("# Server\r\nrun_id:b\r\n", fields);
        EndState.Add("role:slave\r\nmaster_host:10.0.0.5\r\nmaster_port:6379\r\nmaster_link_status:up\r\n"
            + "master_sync_in_progress:0\r\nsync_full:0\r\n", fields);
        EndState.Add("cmdstat_flushall:calls=2,usec=9\r\ncmdstat_flushdb:calls=1,usec=3\r\n", fields);

        EndState.Of(fields).ShouldBe(Replica with { Flushes = 3 });
        EndState.Of(new Dictionary<string, string>()).ShouldBe(new EndState());
    }

    private static IEnumerable<string> KindsOf(EndState before, EndState after) =>
        EndChanges.Between("source", before, after).Select(change => change.Kind);
}
