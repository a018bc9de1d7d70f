using RedisLatency.Hosting.Options.Shared;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Engine.Routing;
using RedisLatency.Workloads.Measuring.Phases;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Options.Mixes;

namespace RedisLatency.Workloads.Tests.Measuring;

public class PhasePlanTests
{
    [Theory]
    [InlineData(YcsbWorkload.A, "read 0.5, update 0.5", "ycsb")]
    [InlineData(YcsbWorkload.B, "read 0.95, update 0.05", "ycsb")]
    [InlineData(YcsbWorkload.C, "read 1", "ycsb")]
    [InlineData(YcsbWorkload.D, "read 0.95, insert 0.05", "latest:0.99")]
    [InlineData(YcsbWorkload.E, "scan 0.95, insert 0.05", "ycsb")]
    [InlineData(YcsbWorkload.F, "read 0.5, rmw 0.5", "ycsb")]
    internal void Workload_HasYcsbsOperationsAndKeys(YcsbWorkload workload, string operations, string keys)
    {
        var plan = new PhasePlan("run", isLoad: false, new PhaseOptions { Workload = workload });

        string.Join(", ", plan.Mix.Operations.Select(operation =>
            FormattableString.Invariant($"{operation.Name} {operation.Weight}"))).ShouldBe(operations);
        plan.Keys.ToString().ShouldBe(keys);
    }

    [Fact]
    public void Mix_WithCommands_NamesEachOnce()
    {
        var plan = new PhasePlan("run", isLoad: false, new PhaseOptions
        {
            Mix = [new("get", 1), new("mget:10", 2)],
            Commands = [new("GET __key__", 1), new("get other:__key__", 1), new("\"SET\" __key__ 1", 3)],
        });

        plan.Mix.Operations.Select(operation => operation.Name).ShouldBe(["get", "mget", "get-2", "get-3", "set"]);
        plan.Keys.Name.ShouldBe("uniform");
    }

    /// <summary>
    /// What two operations in turn draw of keys in sequence: in one stream each sees only every other key.
    /// </summary>
    [Theory]
    [InlineData(KeyStreams.Own, "set 0, get 0, set 1, get 1, set 2, get 2")]
    [InlineData(KeyStreams.Shared, "set 0, get 1, set 2, get 3, set 4, get 5")]
    internal void KeysOfAMix_AreDrawnByEachOperationForItself_OrByAllInTurn(KeyStreams streams, string expected)
    {
        var phase = new PhasePlan("run", isLoad: false, new PhaseOptions
        {
            Mix = [new("set", 1), new("get", 1)], MixOrder = MixOrder.Cyclic, Keys = "sequential", KeyStreams = streams,
        });
        var target = new ResolvedTarget(
            RedisEndpoint.Parse("redis://localhost"), new RedisConnectionOptions(), DriverKind.Raw);
        var plan = PhaseEngine.PlanOf(phase, [target], new RunningOptions(), isCluster: false, ReadPreference.Primary);
        var inputs = plan.Inputs(new WorkerPlace(0, 1));

        var drawn = Enumerable.Range(0, 6).Select(turn => plan.Mix.Operations[plan.Mix.Next(inputs, turn)])
            .Select(operation => FormattableString.Invariant(
                $"{operation.Name} {inputs.NextKey(operation.KeyStream)}"));

        string.Join(", ", drawn).ShouldBe(expected);
    }

    [Fact]
    public void Scale_ShrinksWhatTakesTime_ButNotConnections()
    {
        var options = new PhaseOptions { Records = 20_000_000, Operations = 20_000_000, Clients = 32 };

        var load = new PhasePlan("Load", isLoad: true, options, 0.0001);
        var run = new PhasePlan("run", isLoad: false, options, 0.0001);

        load.Operations.ShouldBe(2_000);
        run.Records.ShouldBe(2_000);
        run.Operations.ShouldBe(2_000);
        run.Share.Connections.ShouldBe(32);
    }

    [Theory]
    [InlineData(160, 52, 20)]
    [InlineData(50, 52, 25)]
    [InlineData(160, 2, 1)]
    [InlineData(7, 16, 7)]
    [InlineData(1, 64, 1)]
    public void Clients_AreSharedEvenly_ByAtMostHalfOfTheProcessors(int clients, int processors, int threads)
    {
        var share = ConnectionShare.Of(new PhaseOptions { Clients = clients }, processors);

        share.Threads.ShouldBe(threads);
        share.Connections.ShouldBe(clients);
    }

    [Fact]
    public void TotalSize_MakesAsManyRecordsAsFit() =>
        new PhasePlan("Load", isLoad: true, new PhaseOptions { TotalSize = 8L << 30, ValueSize = "128" })
            .Records.ShouldBe((8L << 30) / 128);
}
