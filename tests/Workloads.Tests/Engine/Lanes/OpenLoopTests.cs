using RedisLatency.Metrics.Clocks;
using RedisLatency.Workloads.Engine.Lanes;
using RedisLatency.Workloads.Engine.Schedules;
using RedisLatency.Workloads.Engine.Totals;

namespace RedisLatency.Workloads.Tests.Engine.Lanes;

public sealed class OpenLoopTests
{
    [Theory]
    [InlineData(nameof(Arrival.Uniform), 1)]
    [InlineData(nameof(Arrival.Uniform), 2)]
    [InlineData(nameof(Arrival.Poisson), 2)]
    [InlineData(nameof(Arrival.Burst), 1)]
    public async Task EveryDueOperation_IsSentOrCountedAsUnsent(string arrival, int threads)
    {
        await using var server = await LaneTest.StartServer();
        var latencies = new IntervalTotals(1);

        var totals = LaneTest.Run(
            EngineTest.Plan(server.Uri, EngineTest.Mix("set")) with
            {
                Threads = threads,
                Rate = RateStep.Constant(2_000),
                Arrival = Enum.Parse<Arrival>(arrival),
                Duration = TimeSpan.FromSeconds(0.5),
                WarmUp = TimeSpan.FromSeconds(0.1),
            },
            latencies);

        totals.ShouldBeBalanced();
        if (arrival == nameof(Arrival.Poisson))
            totals.Due.ShouldBeInRange(800, 1200);
        else
            totals.Due.ShouldBe(1000);
        latencies.Lateness.TotalCount.ShouldBe(totals.Sent);
        latencies.Service[0].TotalCount.ShouldBe(totals.Completed);
        latencies.Response[0].TotalCount.ShouldBe(totals.Completed);
    }

    [Fact]
    public async Task StalledServer_ShowsItsStall_FromTheIntendedTimeOnly()
    {
        await using var server = await LaneTest.StartServer();
        using var engine = new ClientEngine(EngineTest.Plan(server.Uri, EngineTest.Mix("set")) with
        {
            Rate = RateStep.Constant(1_000),
            Operations = 800,
        });
        engine.Connect();

        server.Pause();
        var start = MonotonicClock.NowNs();
        engine.Start(start);
        TimedWait.Until(start + 400_000_000);
        server.Resume();
        engine.Join();

        var latencies = new IntervalTotals(1);
        engine.TakeInterval(latencies);
        var totals = engine.Totals();
        totals.Completed.ShouldBe(800);
        totals.HeldBack.ShouldBeGreaterThanOrEqualTo(396);
        // By the schedule 300 operations wait for over 0.1 s, whatever else the machine does.
        latencies.Service[0].CountBetween(100_000_000, long.MaxValue).ShouldBeLessThan(250);
        latencies.Response[0].CountBetween(100_000_000, long.MaxValue).ShouldBeGreaterThanOrEqualTo(299);
    }

    [Fact]
    public async Task MoreThanTheServerTakes_LeavesTheRestUnsent()
    {
        await using var server = await LaneTest.StartServer();

        var totals = LaneTest.Run(EngineTest.Plan(server.Uri, EngineTest.Mix("get")) with
        {
            Rate = RateStep.Constant(10_000_000),
            WarmUp = TimeSpan.FromSeconds(0.2),
            Duration = TimeSpan.FromSeconds(0.3),
        });

        totals.ShouldBeBalanced();
        totals.Completed.ShouldBeGreaterThan(0);
        totals.Unsent.ShouldBeGreaterThan(0);
        totals.Due.ShouldBe(3_000_000);
    }
}
