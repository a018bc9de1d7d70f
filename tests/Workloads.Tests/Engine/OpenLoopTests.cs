using RedisLatency.Fixtures;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Server;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Lanes;

namespace RedisLatency.Workloads.Tests.Engine;

public sealed class OpenLoopTests
{
    [Theory]
    [InlineData(nameof(RawEngine), nameof(ArrivalKind.Uniform), 1)]
    [InlineData(nameof(RawEngine), nameof(ArrivalKind.Uniform), 2)]
    [InlineData(nameof(RawEngine), nameof(ArrivalKind.Poisson), 2)]
    [InlineData(nameof(RawEngine), nameof(ArrivalKind.Burst), 1)]
    [InlineData(nameof(ClientEngine), nameof(ArrivalKind.Uniform), 1)]
    [InlineData(nameof(ClientEngine), nameof(ArrivalKind.Uniform), 2)]
    [InlineData(nameof(ClientEngine), nameof(ArrivalKind.Poisson), 2)]
    [InlineData(nameof(ClientEngine), nameof(ArrivalKind.Burst), 1)]
    public void EveryDueOperation_IsSentOrCountedAsUnsent(string lane, string arrival, int threads)
    {
        using var server = InProcessServer.Start();
        var latencies = new EngineLatencies(1);
        using var engine = EngineTest.Create(lane, EngineTest.Plan(server.Endpoint, EngineTest.Mix("set")) with
        {
            Threads = threads,
            Rate = RateStep.Constant(2_000),
            Arrival = new(Enum.Parse<ArrivalKind>(arrival)),
            Duration = TimeSpan.FromSeconds(0.5),
            WarmUp = TimeSpan.FromSeconds(0.1),
        });

        var totals = EngineTest.RunToItsEnd(engine, latencies);

        totals.ShouldBeBalanced();
        if (arrival == nameof(ArrivalKind.Poisson))
            totals.Due.ShouldBeInRange(800, 1200);
        else
            totals.Due.ShouldBe(1000);
        latencies.Lateness.TotalCount.ShouldBe(totals.Sent);
        latencies.Service[0].TotalCount.ShouldBe(totals.Completed);
        latencies.Response[0].TotalCount.ShouldBe(totals.Completed);
    }

    [Theory]
    [InlineData(nameof(RawEngine))]
    [InlineData(nameof(ClientEngine))]
    public void WarmUp_TakesNothingFromTheStepsOfTheRate(string lane)
    {
        using var server = InProcessServer.Start();
        using var engine = EngineTest.Create(lane, EngineTest.Plan(server.Endpoint, EngineTest.Mix("set")) with
        {
            Rate = [new(100, 100, TimeSpan.FromSeconds(0.2)), .. RateStep.Constant(1_000)],
            Duration = TimeSpan.FromSeconds(0.3),
            WarmUp = TimeSpan.FromSeconds(0.2),
        });

        EngineTest.RunToItsEnd(engine).Due.ShouldBe(20 + 100);
    }

    [Theory]
    [InlineData(nameof(RawEngine))]
    [InlineData(nameof(ClientEngine))]
    public async Task StalledServer_ShowsItsStall_FromTheIntendedTimeOnly(string lane)
    {
        await using var server = await RedisServerProcess.Start();
        using var engine = EngineTest.Create(lane, EngineTest.Plan(server.Uri, EngineTest.Mix("set")) with
        {
            Rate = RateStep.Constant(1_000),
            Operations = 800,
        });
        engine.Connect();

        server.Pause();
        var start = MonotonicClock.NowNs();
        engine.Start(start);
        Pacer.WaitUntil(start + 400_000_000);
        server.Resume();
        engine.Join();

        var latencies = new EngineLatencies(1);
        latencies.Take(engine);
        var totals = engine.Totals();
        totals.Completed.ShouldBe(800);
        // The first four are in flight; those of the remaining 400 ms wait for room.
        totals.Progress.Load.HeldBack.ShouldBeGreaterThanOrEqualTo(396);
        // By the schedule 300 operations wait for over 0.1 s, whatever else the machine does.
        latencies.Service[0].CountBetween(100_000_000, long.MaxValue).ShouldBeLessThan(250);
        latencies.Response[0].CountBetween(100_000_000, long.MaxValue).ShouldBeGreaterThanOrEqualTo(299);
        // Waiting for room is the server's doing, and not how late they left.
        latencies.Lateness.CountBetween(100_000_000, long.MaxValue).ShouldBeLessThan(100);
    }

    [Fact]
    public void MoreThanTheServerTakes_InTheWarmUp_LeavesRoomForWhatIsMeasured()
    {
        using var server = InProcessServer.Start();

        // What is left of five million takes any server longer than the second that is measured.
        var totals = EngineTest.Run(EngineTest.Plan(server.Endpoint, EngineTest.Mix("get")) with
        {
            Rate = RateStep.Constant(10_000_000),
            WarmUp = TimeSpan.FromSeconds(0.5),
            Duration = TimeSpan.FromSeconds(1),
        });

        totals.ShouldBeBalanced();
        totals.Completed.ShouldBeGreaterThan(0);
    }

    [Theory]
    [InlineData(nameof(RawEngine))]
    [InlineData(nameof(ClientEngine))]
    public void MoreThanTheServerTakes_LeavesTheRestUnsent_AndRepliesAreRead(string lane)
    {
        using var server = InProcessServer.Start();
        using var engine = EngineTest.Create(lane, EngineTest.Plan(server.Endpoint, EngineTest.Mix("get")) with
        {
            Rate = RateStep.Constant(10_000_000),
            Duration = TimeSpan.FromSeconds(0.3),
        });

        var totals = EngineTest.RunToItsEnd(engine);

        // A machine that is busy with other things may stall for all of the 0.3 s: then the rest is all there is.
        totals.ShouldBeBalanced();
        totals.Unsent.ShouldBeGreaterThan(0);
        totals.Due.ShouldBe(3_000_000);
    }
}
