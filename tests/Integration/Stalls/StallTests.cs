using RedisLatency.Fixtures;
using RedisLatency.Integration.Pair;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Integration.Stalls;

/// <summary>
/// A stop of one second at 2,500 messages a second, in 10,200 of them: 2,500 are due in it, and 250 in its first tenth,
/// while p99.9 is that of the eleventh slowest. From the intended send those wait for more than 0.9 s.
/// </summary>
[Collection(nameof(StallCollection))]
public class StallTests : PairTest
{
    private const double StallMs = 900;
    private const double NoStallMs = 500;

    private static readonly TimeSpan Stall = TimeSpan.FromSeconds(1);

    [Fact]
    public async Task Stall_OfTheServerWithOneInFlight_ShowsFromTheIntendedSendOnly()
    {
        var run = await MeasureThrough(_ => StallServer(), "--max-in-flight", "1");

        run.PercentileMs("rtt-intended", 99.9).ShouldBeGreaterThan(StallMs);
        run.PercentileMs("rtt", 99.9).ShouldBeLessThan(NoStallMs);
        run.Count(Counted.InFlightLimitHits).ShouldNotBeNull().ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task Stall_OfTheServer_ShowsFromBothSends()
    {
        var run = await MeasureThrough(_ => StallServer());

        run.PercentileMs("rtt-intended", 99.9).ShouldBeGreaterThan(StallMs);
        run.PercentileMs("rtt", 99.9).ShouldBeGreaterThan(StallMs);
    }

    [Fact]
    public async Task Stall_OfTheProducer_ShowsFromTheIntendedSendOnly()
    {
        // What is under way when it stops comes back late: too little for p99, which is that of the 102nd slowest.
        var run = await MeasureThrough(StallProducer, "--max-in-flight", "50");

        run.PercentileMs("rtt-intended", 99).ShouldBeGreaterThan(StallMs);
        run.PercentileMs("rtt", 99).ShouldBeLessThan(NoStallMs);
        run.PercentileMs("lateness", 99.9).ShouldBeGreaterThan(StallMs);
    }

    private async Task<SavedRun> MeasureThrough(Func<ServiceProcess, Task> stall, params string[] arguments)
    {
        await StartConsumer();
        var producer = StartProducer(
            ["--rate", "2500", "--iterations", "10200", "--warmup", "200", "--receive-deadline", "30s", .. arguments]);
        await producer.Errors.WaitFor(" measure ");
        await stall(producer);
        await producer.End();
        var run = SavedRun.Of(producer);
        run.Count(Counted.Returned).ShouldBe(10_200, producer.ToString());
        return run;
    }

    private async Task StallServer()
    {
        Server.Pause();
        await Task.Delay(Stall, TestContext.Current.CancellationToken);
        Server.Resume();
    }

    private static async Task StallProducer(ServiceProcess producer)
    {
        producer.Signal("STOP");
        await Task.Delay(Stall, TestContext.Current.CancellationToken);
        producer.Signal("CONT");
    }
}
