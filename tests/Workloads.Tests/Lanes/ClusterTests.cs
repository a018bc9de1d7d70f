using System.Globalization;
using RedisLatency.Fixtures;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Topology;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Lanes;
using RedisLatency.Workloads.Tests.Engine;

namespace RedisLatency.Workloads.Tests.Lanes;

public sealed class ClusterTests
{
    private const int Keys = 300;

    [Fact]
    public async Task ReshardedAndFailedOver_UnderLoad_NothingIsCountedTwiceOrNotAtAll()
    {
        await using var cluster = await RedisClusterProcesses.Start();
        using var engine = Started(new ClientEngine(Plan(cluster.Uri)));
        engine.Totals().Operations[0].Counts.Errors.ShouldBe(0);

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
        totals.Moved.ShouldBeGreaterThan(0);
        var unknown = totals.Operations[0].Counts.Lost + totals.Operations[0].Counts.TimedOut;
        Executed(cluster).ShouldBeInRange(totals.Completed, totals.Completed + unknown);
    }

    [Theory]
    [InlineData(nameof(RawEngine), false)]
    [InlineData(nameof(RawEngine), true)]
    [InlineData(nameof(ClientEngine), false)]
    [InlineData(nameof(ClientEngine), true)]
    public async Task PrimaryThatIsGoneForGood_IsTheLostTarget(string lane, bool isHung)
    {
        await using var cluster = await RedisClusterProcesses.Start(new() { ReplicasPerPrimary = 0 });
        using var engine = Started(EngineTest.Create(
            lane, Plan(cluster.Uri) with { DrainLimit = TimeSpan.FromSeconds(0.3) }));
        var gone = cluster.Servers[1];
        if (isHung)
        {
            gone.Pause();
            WaitUntilAllWait(engine);
        }
        else
        {
            await gone.Kill();
            LaneTest.WaitUntil(engine, totals => totals.Progress.Load.ConnectionsLost > 0);
        }

        engine.RequestStop();
        engine.Join();

        engine.Totals().Lost.ShouldNotBeNull().Target.Address.ShouldBe($"127.0.0.1:{gone.Port}");
    }

    [Fact]
    public async Task PrimaryWhosePlaceAReplicaHasTaken_IsNotLost()
    {
        await using var cluster = await RedisClusterProcesses.Start();
        using var engine = Started(new ClientEngine(Plan(cluster.Uri)));
        await cluster.KillPrimary(cluster.Servers[1]);
        Progress(engine);
        engine.RequestStop();
        engine.Join();

        engine.Failure.ShouldBeNull();
        engine.Totals().Lost.ShouldBeNull();
    }

    [Fact]
    public async Task ServerThatIsNoNodeOfACluster_IsRefused()
    {
        await using var server = await LaneTest.StartServer();
        using var engine = new ClientEngine(Plan(server.Uri));

        Should.Throw<RedisException>(engine.Connect);
    }

    [Fact]
    public async Task KeysOfSeveralNodes_InOneCommand_AreRefusedByTheClient_AndCounted()
    {
        await using var cluster = await RedisClusterProcesses.Start();

        var totals = LaneTest.Run(
            Plan(cluster.Uri) with { Mix = EngineTest.Mix("mget:3"), Operations = 20 });

        totals.ShouldBeBalanced();
        totals.Operations[0].ErrorReplies.ShouldBe(new Dictionary<string, long> { ["(client)"] = 20 });
    }

    private static EnginePlan Plan(string uri) => EngineTest.Plan(uri, EngineTest.Mix("incr"), Keys) with
    {
        Endpoints = [RedisEndpoint.Parse(uri)],
        Connection = Patience.Followed,
        IsCluster = true,
        Pipeline = 4,
    };

    private static LoadEngine Started(LoadEngine engine)
    {
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        Progress(engine);
        return engine;
    }

    /// <summary>Waits until every key has surely been served once more.</summary>
    private static void Progress(LoadEngine engine)
    {
        var target = engine.Totals().Completed + (4 * Keys);
        LaneTest.WaitUntil(engine, totals => totals.Completed >= target);
    }

    /// <summary>Waits until nothing comes back any more: every operation is at the server that hangs.</summary>
    private static void WaitUntilAllWait(LoadEngine engine)
    {
        var (before, times) = (-1L, 0);
        LaneTest.WaitUntil(engine, totals =>
        {
            var ended = totals.Completed + totals.Operations[0].Counts.Errors;
            (before, times) = (ended, ended == before ? times + 1 : 0);
            return times == 100;
        });
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
