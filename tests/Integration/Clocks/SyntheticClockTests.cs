using System.Globalization;
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

    // Whose output is another tool's has no other place for it than standard error.
    [Theory]
    [InlineData("Producer", "--redis in-process --rate 500 --duration 200ms")]
    [InlineData("Workloads", "run --redis {0} --records 10 --mix get=1 --operations 500")]
    [InlineData("Workloads", "redis-benchmark -p {1} -t get -n 500 -q", true)]
    [InlineData("Workloads", "memtier -p {1} -t 1 -c 2 -n 50", true)]
    [InlineData("Workloads", "ycsb load redis -p recordcount=50 -p redis.host=127.0.0.1 -p redis.port={1}", true)]
    [InlineData("Replication", "delay --rate 1000 --duration 300ms")]
    [InlineData("Replication", "delay --continuous --interval 10ms --duration 500ms")]
    [InlineData("Replication", "delay write --continuous --source {0} --duration 300ms")]
    [InlineData("Sync", "scan --source {0} --destination {2}")]
    public async Task Run_OfAnyRole_IsNeverValidAndSaysSo(string project, string words, bool isForeign = false)
    {
        var other = words.Contains("{2}", StringComparison.Ordinal) ? (await StartServer()).Uri : null;

        var run = await Outcome.With(
            Variable, "skew=10000ppm", project,
            string.Format(CultureInfo.InvariantCulture, words, Server.Uri, Server.Port, other).Split(' '));

        run.ShouldSay(4, "clock: synthetic.");
        if (!isForeign)
            run.ShouldReport(4, "NOT VALID", "clock: synthetic.");
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
