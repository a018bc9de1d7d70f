using RedisLatency.Fixtures;
using RedisLatency.Integration.BadInput;
using RedisLatency.Integration.Pair;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Integration.Clocks;

/// <summary>Services whose clock is wrong, and known to be.</summary>
public class SyntheticClockTests : PairTest
{
    private const string Variable = "REDISLATENCY_CLOCK";

    // Whenever the measurement begins, the clock goes backwards in it, again and again.
    private static readonly string GoesBackwards =
        "offset=50ms,skew=-100ppm," + string.Join(',', Enumerable.Range(1, 100).Select(n => $"step=-5ms@{n * 0.3:0.0}s"));

    [Theory]
    [InlineData("raw", true, false)]
    [InlineData("raw", false, true)]
    [InlineData("stackexchange", true, true)]
    public async Task Run_OfClocksThatGoBackwards_CountsEveryMessageOnce(
        string driver, bool atConsumer, bool atProducer)
    {
        var consumer = StartWith("Consumer", atConsumer ? GoesBackwards : "", "--driver", driver);
        await consumer.Errors.WaitFor("Serving");

        var producer = StartWith(
            "Producer", atProducer ? GoesBackwards : "",
            "--driver", driver, "--rate", "1000", "--iterations", "2000", "--warmup", "200");
        await producer.End();

        var counts = SavedRun.Of(producer).Metrics;
        counts.Count(Counted.Sent).ShouldBe(2_000, producer.ToString());
        (counts.Count(Counted.Returned) + counts.Count(Counted.Late)).ShouldBe(2_000, producer.ToString());
        (counts.Count(Counted.Lost) + counts.Count(Counted.Duplicated) + counts.Count(Counted.Reordered)
            + counts.Count(Counted.Corrupted)).ShouldBe(0);
        // A synthetic clock's run is never valid, on either side, and that outranks the signal.
        (await consumer.EndBy("TERM")).ShouldBe(4, consumer.ToString());
        SavedRun.Of(consumer).CountsOf("all").Count(Counted.Received).ShouldBe(2_000);
    }

    [Fact]
    public async Task Run_OfClocksFarApartAndDrifting_MeasuresTheSameRoundTripsAsEver()
    {
        await StartWith("Consumer", "offset=1000s,skew=200ppm,walk=1ppm,seed=7").Errors.WaitFor("Serving");

        var producer = StartWith(
            "Producer", "offset=2000s,skew=-12ppm", "--rate", "1000", "--iterations", "1000", "--warmup", "100");

        await producer.End();
        var run = SavedRun.Of(producer);
        run.Count(Counted.Returned).ShouldBe(1_000, producer.ToString());
        run.Merged("rtt").TotalCount.ShouldBe(1_000);
        // A wait that took one clock's time for the other's would be half an hour early or late.
        run.Merged("rtt").Max.ShouldBeLessThan(100_000_000_000);
    }

    [Theory]
    [InlineData("Producer", "offset=12", "offset=12: want a time with its unit")]
    [InlineData("Consumer", "drift=5ppm", "drift: want offset, skew, walk, seed, step, slew, suspend, freeze or anchor")]
    public async Task Start_WithAClockThatCannotBeRead_EndsWith2AndNamesTheVariable(
        string project, string clock, string problem) =>
        (await Outcome.With(Variable, clock, project, "--redis", "127.0.0.1:1"))
            .ShouldBeRefused(2, problem, $"(from the environment, {Variable}={clock})");

    private ServiceProcess StartWith(string project, string clock, params string[] arguments) =>
        Own(ServiceProcess.Start(
            project, new Dictionary<string, string> { [Variable] = clock }, ["--redis", Server.Uri, .. arguments]));
}
