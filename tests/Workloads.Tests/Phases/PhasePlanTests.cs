using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Targets;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.Tests.Phases;

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
            Mix = [new("set", 1), new("get", 1)],
            MixOrder = MixOrder.Cyclic,
            Keys = "sequential",
            KeyStreams = streams,
        });
        var target = new ResolvedTarget(
            RedisEndpoint.Parse("redis://localhost"), new RedisConnectionOptions(), DriverKind.Raw);
        var plan = phase.At([target], new RunningOptions(), isInProcess: true);
        var inputs = plan.Inputs(new WorkerShare(0, 1));

        var drawn = Enumerable.Range(0, 6).Select(turn => plan.Mix.Operations[plan.Mix.Next(inputs, turn)])
            .Select(operation => FormattableString.Invariant(
                $"{operation.Name} {inputs.NextKey(operation.KeyStream)}"));

        string.Join(", ", drawn).ShouldBe(expected);
    }

    [Theory]
    [InlineData("mix", "get,mget:3", "mget")]
    [InlineData("mix", "get,del", "del")]
    [InlineData("mix", "get,getdel", "getdel")]
    [InlineData("mix", "get,getex:60", "getex")]
    [InlineData("mix", "get,setex:60", "setex")]
    [InlineData("mix", "get,append", "append")]
    [InlineData("mix", "get,getrange", "getrange")]
    [InlineData("workload", "e", "scan")]
    [InlineData("command", "GET a:__key__", "get")]
    [InlineData("command", "SET __key__ x", "set")]
    [InlineData("command", "MULTI ; GET __key__ ; EXEC", "multi")]
    [InlineData("mix", "get,rmw,set,mset:3,multi,evalsha,ping,publish,wait", null)]
    [InlineData("workload", "a", null)]
    [InlineData("workload", "d", null)]
    [InlineData("workload", "f", null)]
    [InlineData("command", "OBJECT FREQ __key__", "object")]
    [InlineData("command", "FLUSHALL", "flushall")]
    [InlineData("command", "SELECT 1", "select")]
    [InlineData("command", "EVAL script 0", "eval")]
    [InlineData("command", "ECHO __data__", null)]
    [InlineData("command", "get __key__", null)]
    [InlineData("command", "MULTI ; SET __key__ __data__ ; EXEC", null)]
    public void Verify_IsRefused_BesideWhatCannotBeCompared(string option, string text, string? operation)
    {
        var options = new PhaseOptions();
        PhaseCatalogue.ForScenario(isLoad: false).Set(options, new Dictionary<string, IReadOnlyList<string>>
        {
            ["verify"] = ["true"],
            [option] = [text],
        }).ShouldBeEmpty();

        var problem = new PhasePlan("run", isLoad: false, options).Problem();

        if (operation is null)
            problem.ShouldBeNull();
        else
            problem.ShouldNotBeNull().ShouldStartWith($"--verify: what {operation} reads or leaves is not compared");
    }

    [Theory]
    [InlineData("get,set,update,rmw,multi,setex:3,getex,insert,del", null)]
    [InlineData("get,mset", "mset")]
    [InlineData("get,incr", "incr")]
    public void Expiry_IsRefused_BesideWhatLastsForEver(string mix, string? operation)
    {
        var options = new PhaseOptions { Expiry = new(TimeSpan.FromHours(1)) };
        PhaseCatalogue.ForScenario(isLoad: false)
            .Set(options, new Dictionary<string, IReadOnlyList<string>> { ["mix"] = [mix] }).ShouldBeEmpty();
        var plan = new PhasePlan("run", isLoad: false, options);

        var problem = plan.Problem();

        if (operation is not null)
            problem.ShouldNotBeNull().ShouldStartWith($"--expiry: {operation} cannot say");
        else
            problem.ShouldBeNull();
        foreach (var set in plan.Mix.Operations.Where(one => one.Name is "set" or "update" or "insert"))
            set.Command.Text.ShouldBe("SET __key__ __data__ PX 3600000");
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
        run.Connections.ShouldBe(32);
    }

    [Theory]
    [InlineData(160, 52, 20)]
    [InlineData(50, 52, 25)]
    [InlineData(160, 2, 1)]
    [InlineData(7, 16, 7)]
    [InlineData(1, 64, 1)]
    public void Clients_AreSharedEvenly_ByAtMostHalfOfTheProcessors(int clients, int processors, int threads)
    {
        var (each, connections, more) = PhasePlan.Share(new PhaseOptions { Clients = clients }, processors);

        (each, more).ShouldBe((threads, 0));
        (each * connections).ShouldBe(clients);
    }

    [Fact]
    public void TotalSize_MakesAsManyRecordsAsFit() =>
        new PhasePlan("Load", isLoad: true, new PhaseOptions { TotalSize = 8L << 30, ValueSize = "128" })
            .Records.ShouldBe((8L << 30) / 128);
}
