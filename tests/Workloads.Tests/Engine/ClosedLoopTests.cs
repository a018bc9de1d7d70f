using RedisLatency.Server;

namespace RedisLatency.Workloads.Tests.Engine;

public sealed class ClosedLoopTests
{
    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 1)]
    [InlineData(1, 16)]
    [InlineData(3, 7)]
    public void Count_OfOperations_IsMetExactly(int threads, int pipeline)
    {
        using var server = InProcessServer.Start();
        var latencies = new EngineLatencies(2);

        var totals = EngineTest.Run(
            EngineTest.Plan(server.Endpoint, EngineTest.Mix("set", "get")) with
            {
                Threads = threads,
                Pipeline = pipeline,
                Operations = 5_003,
            },
            latencies);

        totals.Sent.ShouldBe(5_003);
        totals.Completed.ShouldBe(5_003);
        totals.ShouldBeBalanced();
        var counts = totals.Operations[1].Counts;
        counts.Hits.ShouldBe(counts.Completed - counts.Misses);
        latencies.Service.Sum(histogram => histogram.TotalCount).ShouldBe(5_003);
        latencies.Response.Sum(histogram => histogram.TotalCount).ShouldBe(0);
    }
}
