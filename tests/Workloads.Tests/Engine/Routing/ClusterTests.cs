using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Cluster;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Engine.Faults;
using RedisLatency.Workloads.Engine.Schedules;

namespace RedisLatency.Workloads.Tests.Engine.Routing;

public sealed class ClusterTests
{
    private const int Keys = 300;

    [Theory]
    [InlineData(1, 0)]
    [InlineData(8, 0)]
    [InlineData(4, 5_000)]
    public async Task ReshardedAndFailedOver_UnderLoad_NothingIsCountedTwiceOrNotAtAll(int pipeline, double rate)
    {
        EngineTest.Require("redis-server");
        await using var cluster = await RedisClusterProcesses.Start();
        using var engine = new LoadEngine(Plan(cluster, pipeline, rate));
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        Progress(engine);
        engine.Totals().Operations[0].ErrorReplies.ShouldBeEmpty();

        var slot = KeySlot.Of("k0"u8);
        var from = cluster.PrimaryOf(slot);
        var to = cluster.Servers.First(server => cluster.ReplicasOf(server).Count > 0 && server != from);
        await cluster.MigrateSlots(from, to, slot, slot);
        Progress(engine);
        await cluster.Failover(cluster.ReplicasOf(from)[0]);
        Progress(engine);
        engine.RequestStop();
        engine.Join();

        engine.Failure.ShouldBeNull();
        var totals = engine.Totals();
        totals.ShouldBeBalanced();
        totals.Operations[0].Errors.ShouldBe(0);
        totals.Moved.ShouldBeGreaterThan(0);
        totals.MapsTaken.ShouldBeGreaterThan(0);
        Executed(cluster).ShouldBeInRange(totals.Completed, totals.Completed + totals.Operations[0].Lost);
    }

    [Fact]
    public async Task PrimaryThatDies_IsReplaced_AndTheLoadGoesOn()
    {
        EngineTest.Require("redis-server");
        await using var cluster = await RedisClusterProcesses.Start();
        using var engine = new LoadEngine(
            Plan(cluster, 2, 0) with { OnError = ErrorPolicy.Retry, MaximumRetries = 100 });
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        Progress(engine);

        await cluster.KillPrimary(cluster.PrimaryOf(KeySlot.Of("k0"u8)));
        Progress(engine);
        engine.RequestStop();
        engine.Join();

        engine.Failure.ShouldBeNull();
        var totals = engine.Totals();
        totals.ShouldBeBalanced();
        totals.ConnectionsLost.ShouldBeGreaterThan(0);
    }

    private static EnginePlan Plan(RedisClusterProcesses cluster, int pipeline, double rate) =>
        EngineTest.Plan(cluster.Uri, EngineTest.Mix("incr"), Keys) with
        {
            Endpoints = [RedisEndpoint.Parse(cluster.Uri)],
            IsCluster = true,
            Pipeline = pipeline,
            Rate = rate > 0 ? RateStep.Constant(rate) : [],
        };

    /// <summary>Waits until every key has surely been served once more.</summary>
    private static void Progress(LoadEngine engine)
    {
        var target = engine.Totals().Completed + (4 * Keys);
        var deadline = MonotonicClock.NowNs() + (long)EngineTest.Limit.TotalNanoseconds;
        while (engine.Totals().Completed < target)
        {
            engine.Failure.ShouldBeNull();
            MonotonicClock.NowNs().ShouldBeLessThan(deadline);
            TimedWait.Until(MonotonicClock.NowNs() + 5_000_000);
        }
    }

    private static long Executed(RedisClusterProcesses cluster)
    {
        var sum = 0L;
        for (var key = 0; key < Keys; key++)
        {
            var name = $"k{key}";
            var slot = KeySlot.Of(System.Text.Encoding.UTF8.GetBytes(name));
            using var connection = cluster.Open(cluster.PrimaryOf(slot));
            sum += long.Parse(connection.Execute("GET", name).Text, CultureInfo.InvariantCulture);
        }

        return sum;
    }
}
