using System.Globalization;
using System.Text.RegularExpressions;
using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Integration.Pair;

/// <summary>What is asked of a machine that others use too: that nothing is lost, never how fast it goes.</summary>
public partial class TwoProcessTests : PairTest
{
    private const int Messages = 20_000;

    [Theory]
    [InlineData("raw")]
    [InlineData("stackexchange")]
    public async Task Run_OfTwoProcesses_LosesNothing(string driver)
    {
        var consumer = await StartConsumer("--driver", driver);

        var run = await Measure("--driver", driver, "--rate", "5000", "--iterations", "20000", "--warmup", "2000");

        var counts = run.Metrics;
        counts.Count(Counted.Asked).ShouldBe(Messages);
        counts.Count(Counted.Sent).ShouldBe(Messages);
        counts.Count(Counted.Returned).ShouldBe(Messages);
        (counts.Count(Counted.Lost) + counts.Count(Counted.Unsent) + counts.Count(Counted.Late)).ShouldBe(0);
        (counts.Count(Counted.Duplicated) + counts.Count(Counted.Reordered) + counts.Count(Counted.Corrupted)
            + counts.Count(Counted.Foreign)).ShouldBe(0);
        run.Record.Targets.ShouldHaveSingleItem().Driver.ShouldBe(driver, StringCompareShould.IgnoreCase);

        (await consumer.EndBy("TERM")).ShouldBe(143, consumer.ToString());
        var served = SavedRun.Of(consumer).CountsOf("all");
        served.Count(Counted.Received).ShouldBe(Messages);
        served.Count(Counted.Lost).ShouldBe(0);
    }

    [Theory]
    [InlineData("auto")]
    [InlineData("none")]
    public async Task Floors_LongerThanRoundTrips_AreRefuted_AndNoClockIs(string claims)
    {
        await StartConsumer();

        var producer = await RunProducer(
            "--rate", "500", "--iterations", "500", "--warmup", "0", "--floor-distance", "1000km", "--claims", claims);

        var text = producer.Output.ToString();
        text.ShouldContain("shorter than both floors", Case.Sensitive, producer.ToString());
        text.ShouldNotContain("contradict the others");
        text.ShouldNotContain("is false");
    }

    [Fact]
    public async Task Run_AfterAWarmUp_MeasuresNothingOfIt()
    {
        var consumer = await StartConsumer();

        var run = await Measure("--rate", "2000", "--iterations", "1000", "--warmup", "700");

        run.Count(Counted.Sent).ShouldBe(1_000);
        run.Count(Counted.Returned).ShouldBe(1_000);
        run.Summary.Latencies.ShouldAllBe(series => series.Count == 1_000);
        run.Merged("rtt").TotalCount.ShouldBe(1_000);
        await consumer.EndBy("TERM");
        SavedRun.Of(consumer).CountsOf("all").Count(Counted.Received).ShouldBe(1_000);
    }

    [Fact]
    public async Task Run_WithTwoConsumers_CountsTwoEchoesAndNoDuplicates()
    {
        await StartConsumer("--instance", "one");
        await StartConsumer("--instance", "two");

        var run = await Measure("--rate", "1000", "--iterations", "2000", "--warmup", "100");

        run.Summary.Peers.ShouldBe(["one", "two"], ignoreOrder: true);
        run.Count(Counted.Sent).ShouldBe(2_000);
        run.Count(Counted.Returned).ShouldBe(4_000);
        run.Count(Counted.Duplicated).ShouldBe(0);
        run.Count(Counted.Lost).ShouldBe(0);
    }

    [Fact]
    public async Task Run_WithAConsumerThatGoesAway_SaysWhoLostWhat()
    {
        await StartConsumer("--instance", "one");
        var leaving = Own(ServiceProcess.Start("Consumer", "--redis", Server.Uri, "--instance", "two"));
        await leaving.Errors.WaitFor("Serving");
        var producer = StartProducer(
            "--rate", "500", "--duration", "6s", "--warmup", "0", "--receive-deadline", "500ms");
        await producer.Errors.WaitFor(" measure ");

        leaving.Signal("KILL");
        await producer.End();

        // One that stays may be slow on a busy machine, and is named too, with what it lost.
        var run = SavedRun.Of(producer);
        var losses = run.Record.Verdict.Reasons.Select(reason => LossOf().Match(reason)).Where(loss => loss.Success)
            .ToDictionary(loss => loss.Groups["who"].Value, loss => NumberIn(loss.Groups["lost"].Value));
        losses["two"].ShouldBeGreaterThan(0);
        losses.Values.Sum().ShouldBe(run.Count(Counted.Lost)!.Value);
        producer.Output.ToString().ShouldContain("echoes that consumer");
    }

    [Fact]
    public async Task Run_OfTwoStreams_SharesTheMessages()
    {
        var consumer = await StartConsumer("--streams", "2");

        var run = await Measure("--streams", "2", "--rate", "2000", "--iterations", "3001", "--warmup", "100");

        run.Count(Counted.Sent).ShouldBe(3_001);
        run.Count(Counted.Returned).ShouldBe(3_001);
        run.Count(Counted.Lost).ShouldBe(0);
        run.Count(Counted.Foreign).ShouldBe(0);
        await consumer.EndBy("TERM");
        SavedRun.Of(consumer).CountsOf("all").Count(Counted.Received).ShouldBe(3_001);
    }

    [Fact]
    public async Task Run_WithPayloadsUpToAMebibyte_GetsEachBackWhole()
    {
        await StartConsumer();

        var run = await Measure(
            "--payload-size", "0..1MiB", "--rate", "50", "--iterations", "100", "--warmup", "0",
            "--receive-deadline", "30s");

        run.Count(Counted.Returned).ShouldBe(100);
        run.Count(Counted.Corrupted).ShouldBe(0);
        run.Count(Counted.Lost).ShouldBe(0);
    }

    [Fact]
    public async Task Run_OneMessageAfterTheOther_HasNoIntendedRow()
    {
        await StartConsumer();

        var producer = await RunProducer("--rate", "0");

        var run = SavedRun.Of(producer);
        run.Count(Counted.Returned).ShouldBe(1_000);
        run.Count(Counted.Lost).ShouldBe(0);
        run.Summary.Latencies.ShouldNotContain(series => series.Name.Contains("intended", StringComparison.Ordinal));
        producer.Output.ToString().ShouldContain("1,000 round trips one after the other in ");
    }

    private static long NumberIn(string text) =>
        long.Parse(text, NumberStyles.AllowThousands, CultureInfo.InvariantCulture);

    [GeneratedRegex(@" echoes that consumer (?<who>\w+) owed, (?<lost>[\d,]+) \(.* were lost\.$")]
    private static partial Regex LossOf();
}
