using RedisLatency.Fixtures;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.Lanes;
using RedisLatency.Workloads.Tests.Engine;

namespace RedisLatency.Workloads.Tests.Lanes;

/// <summary>What the tests of the StackExchange.Redis lane share; their servers are real ones.</summary>
internal static class LaneTest
{
    public static Task<RedisServerProcess> StartServer(params string[] arguments) =>
        RedisServerProcess.Start("redis-server", arguments);

    /// <summary>Runs a plan to its end.</summary>
    public static EngineTotals Run(EnginePlan plan, EngineLatencies? latencies = null)
    {
        using var engine = new ClientEngine(plan);
        return EngineTest.RunToItsEnd(engine, latencies);
    }

    public static string Ask(RedisServerProcess server, params string[] words) => Ask(server, words, null);

    public static string Ask(RedisServerProcess server, string[] words, string? password)
    {
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri) with
        {
            Password = password is null ? null : new RedisPassword(password),
        });
        return connection.Execute(words).Text;
    }

    /// <summary>Waits for something that the engine does.</summary>
    public static void WaitUntil(LoadEngine engine, Func<EngineTotals, bool> isSo)
    {
        var deadline = MonotonicClock.NowNs() + (2 * (long)EngineTest.Limit.TotalNanoseconds);
        while (!isSo(engine.Totals()))
        {
            engine.Failure.ShouldBeNull();
            MonotonicClock.NowNs().ShouldBeLessThan(deadline);
            Pacer.WaitUntil(MonotonicClock.NowNs() + 2_000_000);
        }
    }
}
