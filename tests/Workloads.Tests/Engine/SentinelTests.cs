using RedisLatency.Fixtures;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Tests.Engine;

/// <summary>Loads on the primary of a service, which three Sentinel processes replace meanwhile.</summary>
[Collection(nameof(ProcessesCollection))]
public sealed class SentinelTests
{
    private const int Keys = 100;

    [Theory]
    [InlineData(1, 0)]
    [InlineData(8, 0)]
    [InlineData(4, 5_000)]
    public async Task PrimaryThatIsReplaced_IsFollowed_AndNothingIsCountedTwiceOrNotAtAll(int pipeline, double rate)
    {
        await using var service = await Start();
        using var engine = Begin(service, pipeline, rate);
        RoutingTest.Progress(engine, Keys);
        engine.Totals().Operations.ShouldAllBe(one => one.ErrorReplies.Count == 0);

        await service.Failover(service.Sentinels[0]);
        RoutingTest.WaitUntil(engine, "the load follows", () => HasFollowed(engine, service));
        RoutingTest.Progress(engine, Keys);
        engine.RequestStop();
        engine.Join();

        engine.Failure.ShouldBeNull();
        var totals = engine.Totals();
        totals.ShouldBeBalanced();
        var change = totals.Facts.PrimaryChanges.ShouldHaveSingleItem();
        (change.From, change.To).ShouldBe((AddressOf(service, 0), AddressOf(service, 1)));
        totals.Facts.Servers.Single(node => node.Role == "primary").Address.ShouldBe(change.To);

        // Reads are not replicated: what the servers have executed is what was sent to them.
        var executed = service.Servers.Sum(server => Calls(service, server, "get"));
        var get = totals.Operations[0];
        executed.ShouldBeInRange(get.Counts.Completed, get.Counts.Completed + get.Counts.Lost);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task PrimaryThatDies_OrHangs_IsReplaced_AndTheLoadGoesOn(bool hangs)
    {
        await using var service = await Start();
        using var engine = Begin(service, 2, 0);
        RoutingTest.Progress(engine, Keys);

        if (hangs)
            service.Servers[0].Pause();
        else
            await service.Servers[0].Kill();
        RoutingTest.WaitUntil(engine, "the load follows", () => HasFollowed(engine, service));
        RoutingTest.Progress(engine, Keys);
        engine.RequestStop();
        engine.Join();

        engine.Failure.ShouldBeNull();
        var totals = engine.Totals();
        totals.ShouldBeBalanced();
        totals.Facts.PrimaryChanges.ShouldHaveSingleItem().To.ShouldBe(AddressOf(service, 1));
        totals.Progress.Load.ConnectionsLost.ShouldBeGreaterThan(0);
        // What the primary had taken and not answered.
        totals.Operations.Sum(one => one.Counts.Lost).ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task ServiceWithoutASuccessor_IsGivenUpAsLost()
    {
        await using var service = await Start(replicas: 0);
        using var engine = new RawEngine(Plan(service, 1, 0) with { ReconnectLimit = TimeSpan.FromSeconds(0.5) });
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        RoutingTest.Progress(engine, Keys);

        await service.Servers[0].Kill();
        engine.Join();

        engine.Failure.ShouldBeAssignableTo<Redis.RedisException>();
        engine.Totals().ShouldBeBalanced();
    }

    private static Task<SentinelProcesses> Start(int replicas = 1) =>
        SentinelProcesses.Start(new() { Replicas = replicas });

    private static RawEngine Begin(SentinelProcesses service, int pipeline, double rate)
    {
        var engine = new RawEngine(Plan(service, pipeline, rate));
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        return engine;
    }

    private static EnginePlan Plan(SentinelProcesses service, int pipeline, double rate) =>
        EngineTest.Plan(service.Uri(), EngineTest.Mix("get", "set"), Keys) with
        {
            Connection = Patience.Followed,
            Pipeline = pipeline,
            Rate = rate > 0 ? RateStep.Constant(rate) : [],
            OnError = ErrorPolicy.Count,
            ReconnectLimit = ServiceProcess.LimitAgainstHangs,
        };

    private static bool HasFollowed(RawEngine engine, SentinelProcesses service) => engine.Totals().Facts.Servers.Any(
        node => node.Address == AddressOf(service, 1) && node.Reads > 0 && node.Role == "primary");

    private static string AddressOf(SentinelProcesses service, int server) =>
        $"127.0.0.1:{service.Servers[server].Port}";

    private static long Calls(SentinelProcesses service, RedisServerProcess server, string command)
    {
        using var connection = service.OpenServer(server);
        return RoutingTest.Calls(connection, command);
    }
}
