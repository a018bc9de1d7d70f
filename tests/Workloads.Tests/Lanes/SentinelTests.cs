using RedisLatency.Fixtures;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Workloads.Lanes;
using RedisLatency.Workloads.Tests.Engine;

namespace RedisLatency.Workloads.Tests.Lanes;

/// <summary>The client knows one primary; the lane follows the Sentinels to the next.</summary>
[Collection(nameof(ProcessesCollection))]
public sealed class SentinelTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task PrimaryThatIsReplaced_IsFollowed_ByAnotherMultiplexer(bool dies)
    {
        await using var service = await SentinelProcesses.Start(new() { Replicas = 1 });
        using var engine = new ClientEngine(
            EngineTest.Plan(service.Uri(), EngineTest.Mix("set", "get"), keys: 100) with
            {
                Connection = Patience.Followed,
                Threads = 2,
                ReconnectLimit = ServiceProcess.LimitAgainstHangs,
            });
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        LaneTest.WaitUntil(engine, totals => totals.Completed > 400);
        var next = service.Servers[1];

        if (dies)
            await service.Servers[0].Kill();
        else
            await service.Failover(service.Sentinels[0]);
        LaneTest.WaitUntil(engine, totals => totals.Facts.PrimaryChanges.Count > 0);
        LaneTest.WaitUntil(engine, _ => ClientsOf(service, next) >= 2);
        LaneTest.WaitUntil(engine, totals => totals.Progress.Load.Reconnected == totals.Progress.Load.ConnectionsLost);
        var before = engine.Totals();
        LaneTest.WaitUntil(engine, totals => totals.Completed > before.Completed + 400);
        engine.RequestStop();
        engine.Join();

        engine.Failure.ShouldBeNull();
        var totals = engine.Totals();
        totals.ShouldBeBalanced();
        totals.Facts.PrimaryChanges.ShouldHaveSingleItem().To.ShouldBe($"127.0.0.1:{next.Port}");
        totals.Progress.Load.ConnectionsLost.ShouldBe(totals.Progress.Load.Reconnected);
        totals.Progress.Load.ConnectionsLost.ShouldBeInRange(dies ? 2 : 0, 4);
        totals.Operations[0].Counts.Completed.ShouldBeGreaterThan(before.Operations[0].Counts.Completed);
    }

    /// <summary>
    /// How many connections to a server have last sent an operation. Sentinels close all that a server has when it
    /// becomes the primary, so each look is by one of its own.
    /// </summary>
    private static int ClientsOf(SentinelProcesses service, RedisServerProcess server)
    {
        using var connection = service.OpenServer(server);
        return connection.Execute("CLIENT", "LIST").Text.Split('\n').Count(client =>
            client.Contains(" cmd=get ", StringComparison.Ordinal)
            || client.Contains(" cmd=set ", StringComparison.Ordinal));
    }
}
