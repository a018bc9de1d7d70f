using RedisLatency.Server;
using RedisLatency.Workloads.Engine.Loops;
using RedisLatency.Workloads.Engine.Totals;

namespace RedisLatency.Workloads.Tests.Engine;

public sealed class ClosedLoopTests
{
    [Theory]
    [InlineData(nameof(LoopKind.Auto), 1, 1)]
    [InlineData(nameof(LoopKind.Auto), 2, 1)]
    [InlineData(nameof(LoopKind.Auto), 1, 16)]
    [InlineData(nameof(LoopKind.Auto), 3, 7)]
    [InlineData(nameof(LoopKind.Portable), 2, 3)]
    public void Count_OfOperations_IsMetExactly(string loop, int threads, int pipeline)
    {
        using var server = InProcessServer.Start();
        var latencies = new IntervalTotals(2);

        var totals = EngineTest.Run(
            EngineTest.Plan(server.Endpoint, EngineTest.Mix("set", "get")) with
            {
                Threads = threads,
                Pipeline = pipeline,
                Operations = 5_003,
                Loop = Enum.Parse<LoopKind>(loop),
            },
            latencies);

        totals.Sent.ShouldBe(5_003);
        totals.Completed.ShouldBe(5_003);
        totals.ShouldBeBalanced();
        totals.Operations[1].Hits.ShouldBe(totals.Operations[1].Completed - totals.Operations[1].Misses);
        latencies.Service.Sum(histogram => histogram.TotalCount).ShouldBe(5_003);
        latencies.Response.Sum(histogram => histogram.TotalCount).ShouldBe(0);
    }
}
