using RedisLatency.Fixtures;
using RedisLatency.Messaging.OneWay;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Consumer.Tests.OneWay;

public sealed class ForwardRecordingTests
{
    private const int Messages = 500;
    private const long Error = 2_000;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Messages_AreMeasuredByItsOwnStampsAndTheOffsetItIsTold(bool noEcho)
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server);

        var figures = await Measure(server, offsetNs: 0, noEcho: noEcho);

        (await consumer.EndBy("TERM")).ShouldBe(143, $"{consumer}");
        var record = ConsumerTest.RecordOf(consumer);
        figures.Corrected.ShouldBe(Messages);
        figures.MinNs.ShouldBeGreaterThan(0);
        var forward = record.Forward.ShouldNotBeNull();
        record.Summaries[0].Count(ForwardMessages.Received).ShouldBe(Messages);
        record.Summaries[0].Count(ForwardMessages.NotCorrected).ShouldBe(0);
        var series = forward.Series.Where(known => known.Name == "forward").ShouldHaveSingleItem();
        series.Count.ShouldBe(Messages);
        series.ErrorNs.ShouldBe(Error);
        series.Min.ShouldBe(figures.MinNs);
        series.Max.ShouldBe(figures.MaxNs);
        series.Mean.ShouldBe(figures.MeanNs);
        series.Negatives.ShouldBe(0);
        forward.Series.Where(known => known.Name == "forward-intended").ShouldHaveSingleItem()
            .Mean.ShouldBe(figures.MeanFromIntendedNs);
        forward.Producers.ShouldHaveSingleItem().Name.ShouldBe("default/p1");
        record.Verdict.IsMeasured.ShouldBeTrue();
        TagsOf(consumer).Except(["gc-pauses"])
            .ShouldBe(["residence", "forward", "forward-intended", "hiccups"], ignoreOrder: true);
        consumer.Output.ToString().ShouldContain("FORWARD (received − sent − θ");
        consumer.Output.Lines.ShouldContain("  of 500 messages 500 corrected, 0 not corrected");
        consumer.Output.Lines[^1].ShouldContain(" clock-error=2000 ");
        EchoesShouldBe(record, noEcho);
    }

    [Fact]
    public async Task OffsetThatIsFalse_MakesNegativesThatAreCountedLoggedAndNotValid()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server);

        // A whole minute: no message takes that long.
        var figures = await Measure(server, offsetNs: 60_000_000_000);

        (await consumer.EndBy("TERM")).ShouldBe(4, $"{consumer}");
        var record = ConsumerTest.RecordOf(consumer);
        figures.Negatives.ShouldBe(Messages);
        var series = record.Forward!.FromSent!;
        series.Negatives.ShouldBe(Messages);
        series.NegativesBeyondError.ShouldBe(Messages);
        series.Min!.Value.ShouldBeLessThan(-50_000_000_000);
        record.Verdict.Reasons.ShouldContain(reason =>
            reason.StartsWith("500 messages took less than nothing by more than ±E", StringComparison.Ordinal)
            && reason.Contains("default/p1", StringComparison.Ordinal));
        TagsOf(consumer).ShouldContain("forward-negative");
        TagsOf(consumer).ShouldContain("forward-intended-negative");
        consumer.Output.Lines.ShouldContain("  negatives 500, of these beyond their ±E 500");
    }

    [Fact]
    public async Task ProducerWithASyntheticClock_MakesTheSeriesNotValid()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server);

        await Measure(server, offsetNs: 0, isSynthetic: true);

        (await consumer.EndBy("TERM")).ShouldBe(4, $"{consumer}");
        ConsumerTest.RecordOf(consumer).Verdict.Reasons.ShouldContain(SyntheticClock.Fault);
    }

    [Fact]
    public async Task MessagesWhoseOffsetNeverComes_AreCountedAsNotCorrectedAndSaid()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(
            server, "--threshold", "forward-not-corrected==0", "--threshold", "forward-not-corrected<=100%");
        await Task.Run(
            () =>
            {
                using var producer = new TellingProducer(server);
                producer.Send(Messages);
            },
            ConsumerTest.Cancellation);

        (await consumer.EndBy("TERM")).ShouldBe(99, $"{consumer}");

        var record = ConsumerTest.RecordOf(consumer);
        record.Summaries[0].Count(ForwardMessages.Received).ShouldBe(Messages);
        record.Summaries[0].Count(ForwardMessages.NotCorrected).ShouldBe(Messages);
        record.Thresholds.Select(threshold => threshold.Held).ShouldBe([false, true]);
        record.Forward.ShouldNotBeNull().Series.ShouldBeEmpty();
        consumer.Output.Lines.ShouldContain(line => line.Contains(
            "Of 500 messages whose clock offset was to follow 500 are not in the", StringComparison.Ordinal));
        Directory.EnumerateFiles(ConsumerTest.ResultsOf(consumer), "*.pending").ShouldBeEmpty();
    }

    [Fact]
    public async Task SeveralProducers_AreARowEach()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server);

        await Measure(server, offsetNs: 0, instance: "one");
        await Measure(server, offsetNs: 0, instance: "two");

        await consumer.EndBy("TERM");
        var forward = ConsumerTest.RecordOf(consumer).Forward!;
        forward.Producers.Select(producer => producer.Name).ShouldBe(["default/one", "default/two"]);
        forward.Producers.ShouldAllBe(producer => producer.Corrected == Messages && producer.ErrorNs == Error);
        forward.FromSent!.Count.ShouldBe(2 * Messages);
        consumer.Output.Lines.ShouldContain(
            line => line.TrimStart().StartsWith("default/two  500 ", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Producer_ThatTellsNothing_LeavesNoSeries()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server);
        await Task.Run(
            () =>
            {
                using var producer = new Serving.FramedProducer(server, "p1");
                producer.FindConsumers();
                producer.Send(10);
                producer.End();
            },
            ConsumerTest.Cancellation);

        await consumer.EndBy("TERM");

        ConsumerTest.RecordOf(consumer).Forward.ShouldBeNull();
        consumer.Output.ToString().ShouldNotContain("FORWARD");
    }

    [Theory]
    [InlineData("forward.max<1h", 143)]
    [InlineData("forward-intended.p50<1h", 143)]
    [InlineData("forward.min>1h", 99)]
    public async Task Threshold_OnTheSeries_IsHeldAgainstIt(string threshold, int exitCode)
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(server, "--threshold", threshold);

        await Measure(server, offsetNs: 0);

        (await consumer.EndBy("TERM")).ShouldBe(exitCode, $"{consumer}");
    }

    [Fact]
    public async Task BoundThatIsNotProven_MakesOneWayNotValidAndThresholdsNotKnown()
    {
        await using var server = await ConsumerTest.StartServer();
        await using var consumer = await ConsumerTest.Serve(
            server, "--threshold", "forward.p50<1h", "--threshold", "forward.count>=1");

        await Measure(server, offsetNs: 0, isProven: false);

        (await consumer.EndBy("TERM")).ShouldBe(4, $"{consumer}");
        ConsumerTest.RecordOf(consumer).Thresholds.Select(threshold => threshold.Held).ShouldBe([null, true]);
        $"{consumer}".ShouldContain("One way from default/p1 is not valid: E is not proven");
    }

    private static Task<ForwardFigures> Measure(
        RedisServerProcess server,
        long offsetNs,
        bool noEcho = false,
        string instance = "p1",
        bool isSynthetic = false,
        bool isProven = true) => Task.Run(
        () =>
        {
            using var producer = new TellingProducer(server, instance, noEcho);
            producer.Send(Messages);
            producer.Tell(offsetNs, Error, isSynthetic, isProven);
            return producer.AskFigures();
        },
        ConsumerTest.Cancellation);

    private static void EchoesShouldBe(RunRecord record, bool noEcho)
    {
        var row = ConsumerTest.SummaryOf(record, "default/p1/0").Metrics;
        row.Count(Counted.Received).ShouldBe(Messages);
        if (noEcho)
            row.Count(Counted.Kept)!.Value.ShouldBeGreaterThanOrEqualTo(Messages);
        else
            row.Count(Counted.Kept).ShouldBe(0);
        (row.Count(Counted.Echoed) >= Messages).ShouldBe(!noEcho);
    }

    private static IEnumerable<string> TagsOf(ServiceProcess consumer) =>
        File.ReadLines(Path.Combine(ConsumerTest.ResultsOf(consumer), "latency.hlog"))
            .Where(line => line.StartsWith("Tag=", StringComparison.Ordinal))
            .Select(line => line["Tag=".Length..line.IndexOf(',', StringComparison.Ordinal)])
            .Distinct();
}
