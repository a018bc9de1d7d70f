using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Server;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Lanes;

namespace RedisLatency.Workloads.Tests.Engine;

/// <summary>A server that goes away in a phase and is not back at its end.</summary>
public sealed class TargetLostTests
{
    // Long enough for the first operations on a busy machine, which compiles the client library in this time.
    private static readonly TimeSpan Duration = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan DrainLimit = TimeSpan.FromSeconds(0.3);

    [Theory]
    [InlineData(nameof(RawEngine), 0, false)]
    [InlineData(nameof(RawEngine), 0, true)]
    [InlineData(nameof(RawEngine), 2_000, false)]
    [InlineData(nameof(RawEngine), 2_000, true)]
    [InlineData(nameof(ClientEngine), 0, false)]
    [InlineData(nameof(ClientEngine), 2_000, true)]
    public void ServerThatIsGoneAtTheEnd_IsLost_AndThePhaseLastsUntilItsEnd(string lane, double rate, bool isHung)
    {
        using var server = InProcessServer.Start();
        var plan = Plan(server, rate);
        WarmUp(lane, plan);
        using var engine = EngineTest.Create(lane, plan);
        Begin(engine);
        var goneAt = MonotonicClock.NowNs();
        if (isHung)
            server.Faults.StallUntilReleased();
        else
            Kill(server);
        engine.Join();

        engine.Failure.ShouldBeNull();
        var totals = engine.Totals();
        var lost = totals.Lost.ShouldNotBeNull();
        lost.IsSilent.ShouldBe(isHung);
        lost.Target.Address.ShouldBe(server.Endpoint.Split("//")[1]);
        (totals.MeasuredUntil - totals.MeasuredFrom).ShouldBe((long)Duration.TotalNanoseconds);
        totals.ShouldBeBalanced();
        if (isHung)
            ShouldHaveWaited(engine, totals.MeasuredUntil - goneAt, isOpenLoop: rate > 0);
        if (rate > 0)
        {
            var due = (long)(rate * Duration.TotalSeconds);
            totals.Due.ShouldBeInRange(due - 1, due + 1);
        }
    }

    [Theory]
    [InlineData(nameof(RawEngine))]
    [InlineData(nameof(ClientEngine))]
    public void ServerThatAnswersInTheEnd_IsNotLost(string lane)
    {
        using var server = InProcessServer.Start();
        WarmUp(lane, Plan(server, 0));
        using var engine = EngineTest.Create(lane, Plan(server, 0) with { DrainLimit = EngineTest.Limit });
        Begin(engine);
        server.Faults.StallUntilReleased();
        Pacer.WaitUntil(MonotonicClock.NowNs() + (long)Duration.TotalNanoseconds);
        server.Faults.Release();
        engine.Join();

        var totals = engine.Totals();
        totals.Lost.ShouldBeNull();
        totals.Completed.ShouldBe(totals.Sent);
        // The last replies belong to the phase as much as its sends.
        (totals.MeasuredUntil - totals.MeasuredFrom).ShouldBeGreaterThanOrEqualTo((long)Duration.TotalNanoseconds);
    }

    [Fact]
    public void OneServerOfTwoThatIsGone_IsLost()
    {
        using var stays = InProcessServer.Start();
        using var goes = InProcessServer.Start();
        var plan = Plan(stays, 0);
        WarmUp(nameof(RawEngine), plan);
        using var engine = new RawEngine(plan with
        {
            Endpoints = [.. plan.Endpoints, .. Plan(goes, 0).Endpoints],
        });
        Begin(engine);
        Kill(goes);
        engine.Join();

        engine.Totals().Lost.ShouldNotBeNull().Target.Address.ShouldBe(goes.Endpoint.Split("//")[1]);
    }

    // What was in flight at the end had waited since the server hung and through the drain; what is shown of it says so.
    // Half of that, because a busy machine may send the first of them late.
    private static void ShouldHaveWaited(LoadEngine engine, long hungForNs, bool isOpenLoop)
    {
        var set = new MetricSet();
        WorkloadMetrics.AddSeries(set, EngineTest.Mix("get"), engine.Workers, isOpenLoop);
        set.TakeBlock(Duration);
        set.EndInterval();
        var shown = set.Series.Where(one => one.Metric.Name != WorkloadMetrics.Lateness.Name);
        var leastNs = (long)DrainLimit.TotalNanoseconds + (Math.Max(0, hungForNs) / 2);
        shown.ShouldAllBe(one => one.Total.MissingAtLeast >= leastNs);
    }

    private static EnginePlan Plan(InProcessServer server, double rate) =>
        EngineTest.Plan(server.Endpoint, EngineTest.Mix("get")) with
        {
            Rate = rate > 0 ? RateStep.Constant(rate) : [],
            Duration = Duration,
            DrainLimit = DrainLimit,
        };

    [Fact]
    public void OneThatIsSilentBesideOneThatIsGone_IsOnlySlow()
    {
        var slow = new TargetEnd(RedisEndpoint.Parse("redis://slow"), IsConnected: true, IsWaiting: true, IsSilent: true);
        var gone = new TargetEnd(
            RedisEndpoint.Parse("redis://gone"), IsConnected: false, IsWaiting: false, IsSilent: false);

        TargetEnd.Lost([slow, gone]).ShouldBe(new LostTarget(gone.Target, IsSilent: false));
        TargetEnd.Lost([slow]).ShouldBe(new LostTarget(slow.Target, IsSilent: true));
    }

    // On a busy machine a phase may be over before its code has been compiled: all of it, so by the same plan.
    private static void WarmUp(string lane, EnginePlan plan)
    {
        using var engine = EngineTest.Create(lane, plan with
        {
            Duration = null,
            Operations = 100,
            DrainLimit = EngineTest.Limit,
        });
        EngineTest.RunToItsEnd(engine).Completed.ShouldBe(100);
    }

    private static void Begin(LoadEngine engine)
    {
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        // None comes after the phase.
        SpinWait.SpinUntil(() => engine.Progress() is not { Counts.Completed: < 20 }, Duration).ShouldBeTrue();
    }

    private static void Kill(InProcessServer server)
    {
        server.Faults.RefuseConnections();
        server.Faults.CloseConnections();
    }
}
