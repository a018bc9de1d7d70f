using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Integration.Workloads;

public class ClusterTests
{
    [Fact]
    public async Task Load_OfACluster_PutsEveryRecordOnItsNode()
    {
        await using var cluster = await RedisClusterProcesses.Start();
        await using var load = ServiceProcess.Start(
            "Workloads", "load", "--redis", cluster.Servers[0].Uri, "--records", "3000");

        (await load.End()).ShouldBe(0, load.ToString());

        var workload = SavedRun.Of(load).Summary.Workload.ShouldNotBeNull();
        workload.Engine!.IsCluster.ShouldBeTrue();
        workload.Operations.ShouldHaveSingleItem();
        SavedRun.Of(load).Count(Counted.Completed).ShouldBe(3_000);
        workload.Engine!.Servers.Count.ShouldBe(3);
        workload.Engine!.Servers.Sum(server => server.Writes).ShouldBe(3_000);
        var primaries = new[] { 0, 8_000, 16_000 }.Select(cluster.PrimaryOf).Distinct().ToList();
        var keys = primaries.Sum(server => KeysOf(cluster, server));
        primaries.Count.ShouldBeGreaterThan(1);
        keys.ShouldBe(3_001, "the records, and the note of them");
        workload.ServersAsked.ShouldBe(3);
        SavedRun.Of(load).Count(Counted.KeysBefore).ShouldBe(0);
        SavedRun.Of(load).Count(Counted.KeysAfter).ShouldBe(3_000);

        await using var again = ServiceProcess.Start(
            "Workloads", "run", "--redis", cluster.Servers[0].Uri, "--records", "3000", "--mix", "set=1",
            "--operations", "300", "--warmup", "0s");
        (await again.End()).ShouldBe(0, again.ToString());

        var set = workload.ServerCommands.Single(use => use.Command == "set");
        set.Calls.ShouldBe(3_000);
        set.P99Microseconds.ShouldNotBeNull();
        await using var off = ServiceProcess.Start(
            "Workloads", "run", "--redis", cluster.Servers[0].Uri, "--records", "3000", "--cluster", "off",
            "--workload", "c", "--operations", "300", "--warmup", "0s");
        (await off.End()).ShouldBe(4, off.ToString());
        var moved = SavedRun.Of(off);
        moved.Summary.Workload!.Operations[0].ErrorReplies["MOVED"].ShouldBeGreaterThan(0);
        moved.Record.Verdict.Reasons.ShouldContain(reason => reason.Contains("with --cluster on each key"));

        await using var cleanup = ServiceProcess.Start("Workloads", "cleanup", "--redis", cluster.Servers[0].Uri);
        (await cleanup.End()).ShouldBe(0, cleanup.ToString());
        cleanup.Output.Lines[^1].ShouldContain("removed=3000 ");
        primaries.ShouldAllBe(server => KeysOf(cluster, server) == 0);
    }

    private static long KeysOf(RedisClusterProcesses cluster, RedisServerProcess server)
    {
        using var connection = cluster.Open(server);
        return connection.Execute("DBSIZE").Number;
    }
}
