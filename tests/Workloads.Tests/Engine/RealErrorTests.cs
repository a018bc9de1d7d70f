using RedisLatency.Fixtures;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Engine;

namespace RedisLatency.Workloads.Tests.Engine;

/// <summary>Every error that real servers answer with, under each policy.</summary>
[Collection(nameof(ProcessesCollection))]
public sealed class RealErrorTests
{
    private const int Operations = 40;

    public static TheoryData<string> Codes => ["OOM", "READONLY", "LOADING", "MOVED", "WRONGTYPE", "NOAUTH", "BUSY"];

    [Theory]
    [MemberData(nameof(Codes))]
    public async Task Count_CountsEachByItsCode_AndGoesOn(string code)
    {
        await using var server = await ErringServer.Start(code);
        using var engine = await Begin(server, ErrorPolicy.Count);
        engine.Join();

        ShouldHaveFailed(engine, code);
        engine.StopReason.ShouldBeNull();
        engine.Totals().Sent.ShouldBe(Operations);
        engine.Totals().Operations[0].Counts.Retried.ShouldBe(0);
    }

    [Theory]
    [MemberData(nameof(Codes))]
    public async Task Stop_EndsTheRunAtTheFirst(string code)
    {
        await using var server = await ErringServer.Start(code);
        using var engine = await Begin(server, ErrorPolicy.Stop, operations: 1_000_000);
        engine.Join();

        ShouldHaveFailed(engine, code);
        engine.StopReason.ShouldNotBeNull().ShouldContain($": {code} ");
        // What was in flight when the first one came.
        engine.Totals().Sent.ShouldBeInRange(1, 2 * 4);
    }

    [Theory]
    [InlineData("OOM")]
    [InlineData("READONLY")]
    [InlineData("LOADING")]
    [InlineData("BUSY")]
    public async Task Retry_SendsAgainWhatMayPass_UntilItHasPassed(string code)
    {
        await using var server = await ErringServer.Start(code);
        using var engine = await Begin(server, ErrorPolicy.Retry);
        RoutingTest.WaitUntil(engine, "every connection has tried again", () =>
            engine.Totals().Operations[0].Counts.Retried > 4);
        engine.Totals().Completed.ShouldBe(0);
        await server.Heal();
        engine.Join();

        engine.Failure.ShouldBeNull();
        var totals = engine.Totals();
        totals.ShouldBeBalanced();
        var operation = totals.Operations[0];
        (operation.Counts.Sent, operation.Counts.Completed, operation.Counts.Errors)
            .ShouldBe((Operations, Operations, 0));
        operation.ErrorReplies.ShouldHaveSingleItem().ShouldBe(new(code, operation.Counts.Retried));
    }

    [Theory]
    [InlineData("MOVED")]
    [InlineData("WRONGTYPE")]
    [InlineData("NOAUTH")]
    public async Task Retry_DoesNotRepeatWhatCannotPass(string code)
    {
        await using var server = await ErringServer.Start(code);
        using var engine = await Begin(server, ErrorPolicy.Retry);
        engine.Join();

        ShouldHaveFailed(engine, code);
        engine.Totals().Sent.ShouldBe(Operations);
        engine.Totals().Operations[0].Counts.Retried.ShouldBe(0);
    }

    [Theory]
    [InlineData("Count")]
    [InlineData("Stop")]
    [InlineData("Retry")]
    public async Task NodesThatNameEachOtherWithoutEnd_AreAnError_ByThePolicy(string policy)
    {
        await using var cluster = await RedisClusterProcesses.Start(new() { ReplicasPerPrimary = 0 });
        var slot = Redis.Topology.KeySlot.Of("k0"u8);
        var (owner, other) = (
            cluster.PrimaryOf(slot), cluster.Servers.First(server => server != cluster.PrimaryOf(slot)));
        using var ofOwner = cluster.Open(owner);
        using var ofOther = cluster.Open(other);
        // The one believes the other to have the slot, and the other it.
        ofOwner.Execute(
            "CLUSTER", "SETSLOT", $"{slot}", "NODE", ofOther.Execute("CLUSTER", "MYID").Text);
        using var engine = new RawEngine(EngineTest.Plan(owner.Uri, EngineTest.Mix("set"), keys: 1) with
        {
            IsCluster = true,
            Connection = Patience.Connection,
            OnError = Enum.Parse<ErrorPolicy>(policy),
            MaximumRetries = int.MaxValue,
            ConnectionsPerThread = 1,
            Operations = 3,
            DrainLimit = ServiceProcess.LimitAgainstHangs,
        });
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        if (policy == "Retry")
        {
            RoutingTest.WaitUntil(engine, "it is tried again", () => engine.Totals().Operations[0].Counts.Retried > 0);
            ofOther.Execute("CLUSTER", "SETSLOT", $"{slot}", "NODE", ofOther.Execute("CLUSTER", "MYID").Text);
            ofOther.Execute("CLUSTER", "BUMPEPOCH");
        }

        engine.Join();

        engine.Failure.ShouldBeNull();
        var totals = engine.Totals();
        totals.ShouldBeBalanced();
        var set = totals.Operations[0];
        // Of those that stop, the next one may have left before it was known.
        set.Counts.Sent.ShouldBeInRange(policy == "Stop" ? 1 : 3, policy == "Stop" ? 2 : 3);
        (set.Counts.Completed, set.Counts.Errors).ShouldBe(policy == "Retry" ? (3, 0) : (0, set.Counts.Sent));
        set.Counts.Redirected.ShouldBeGreaterThanOrEqualTo(16);
        set.ErrorReplies["MOVED"].ShouldBe(set.Counts.Redirected + set.Counts.Errors + set.Counts.Retried);
        (engine.StopReason is not null).ShouldBe(policy == "Stop");
    }

    [Theory]
    [InlineData("Count")]
    [InlineData("Stop")]
    [InlineData("Retry")]
    public async Task Maxclients_RefusesLostConnections_ByThePolicy(string policy)
    {
        await using var server = await RedisServerProcess.Start("redis-server", "--maxclients", "20");
        using var control = Open(server);
        using var engine = new RawEngine(EngineTest.Plan(server.Uri, EngineTest.Mix("set"), keys: 1) with
        {
            Connection = Patience.Connection,
            OnError = Enum.Parse<ErrorPolicy>(policy),
            ReconnectLimit = ServiceProcess.LimitAgainstHangs,
        });
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        RoutingTest.Progress(engine, 10);

        // One is left for us; the load's own four are gone, and find no room.
        control.Execute("CONFIG", "SET", "maxclients", "1");
        control.Execute("CLIENT", "KILL", "SKIPME", "yes");
        if (policy != "Stop")
        {
            RoutingTest.WaitUntil(engine, "connections are refused", () => RefusalsOf(engine) > 0);
            control.Execute("CONFIG", "SET", "maxclients", "20");
            RoutingTest.WaitUntil(engine, "all are back", () => engine.Totals().Progress.Load.Reconnected >= 4);
            RoutingTest.Progress(engine, 10);
            engine.RequestStop();
        }

        engine.Join();

        engine.Failure.ShouldBeNull();
        engine.Totals().ShouldBeBalanced();
        RefusalsOf(engine).ShouldBeGreaterThan(0);
        engine.Totals().Facts.RefusalExamples["ERR"].ShouldBe("ERR max number of clients reached");
        engine.StopReason.ShouldBe(
            policy == "Stop" ? "a connection was refused: ERR max number of clients reached" : null);
    }

    private static async Task<RawEngine> Begin(ErringServer server, ErrorPolicy policy, long operations = Operations)
    {
        var engine = new RawEngine(server.Plan(policy, operations));
        engine.Connect();
        await server.Provoke();
        engine.Start(MonotonicClock.NowNs());
        return engine;
    }

    private static void ShouldHaveFailed(RawEngine engine, string code)
    {
        engine.Failure.ShouldBeNull();
        var totals = engine.Totals();
        totals.ShouldBeBalanced();
        totals.Completed.ShouldBe(0);
        totals.Operations[0].Counts.Errors.ShouldBe(totals.Sent);
        totals.Operations[0].ErrorReplies.ShouldHaveSingleItem().ShouldBe(new(code, totals.Sent));
        totals.Operations[0].ErrorExamples[code].ShouldStartWith($"{code} ");
    }

    private static long RefusalsOf(RawEngine engine) => engine.Totals().Facts.Refusals.GetValueOrDefault("ERR");

    private static RedisConnection Open(RedisServerProcess server) =>
        RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
}
