using RedisLatency.Fixtures;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Commands;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Lanes;

namespace RedisLatency.Workloads.Tests.Engine;

/// <summary>What the engine's tests share.</summary>
internal static class EngineTest
{
    /// <summary>
    /// An end for what must not hang: thirty seconds have been too few for a failover while the machine built and
    /// tested other things.
    /// </summary>
    public static readonly TimeSpan Limit = ServiceProcess.LimitAgainstHangs;

    public static OperationMix Mix(params string[] names) =>
        new([.. names.Select(name => new MixedOperation(name, BuiltInCommand.Named(name)))]);

    public static EnginePlan Plan(string endpoint, OperationMix mix, int keys = 1000, int valueLength = 8) => new()
    {
        Endpoints = [RedisEndpoint.Parse(endpoint)],
        Connection = Patience.Connection,
        Mix = mix,
        Inputs = _ => new PlainInputs(keys, valueLength),
        ConnectionsPerThread = 4,
    };

    /// <summary>Makes the engine of a lane, by the name of its class.</summary>
    public static LoadEngine Create(string lane, EnginePlan plan) =>
        lane == nameof(ClientEngine) ? new ClientEngine(plan) : new RawEngine(plan);

    /// <summary>Runs a plan to its end.</summary>
    public static EngineTotals Run(EnginePlan plan, EngineLatencies? latencies = null)
    {
        using var engine = new RawEngine(plan);
        return RunToItsEnd(engine, latencies);
    }

    /// <summary>Runs either lane's plan to its end.</summary>
    public static EngineTotals RunToItsEnd(LoadEngine engine, EngineLatencies? latencies = null)
    {
        engine.Connect();
        engine.Start(MonotonicClock.NowNs());
        engine.Join();
        latencies?.Take(engine);
        engine.Failure.ShouldBeNull();
        return engine.Totals();
    }

    /// <summary>Every operation that was sent has ended, and in one way only.</summary>
    public static void ShouldBeBalanced(this EngineTotals totals) =>
        totals.Operations.ShouldAllBe(one => one.Counts.InFlight == 0);
}
