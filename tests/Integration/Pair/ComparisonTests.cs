using System.Net;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Server.Links;

namespace RedisLatency.Integration.Pair;

public class ComparisonTests : PairTest
{
    [Fact]
    public async Task Run_OnTwoEndpoints_PrintsOneTable()
    {
        var other = await StartServer();
        await StartConsumer();
        await StartConsumerAt(other);

        var producer = await RunProducer(
            "--redis", other.Uri, "--rate", "1000", "--iterations", "2000", "--warmup", "100");

        var run = SavedRun.Of(producer);
        string[] names = [.. new[] { Server, other }.Select(server => server.Uri["redis://".Length..])];
        run.Record.Summaries.Select(summary => summary.Name).ShouldBe(names);
        run.Record.Summaries.ShouldAllBe(summary => summary.Count(Counted.Returned) == 2_000
            && summary.Count(Counted.Lost) == 0);
        var lines = producer.Output.Lines;
        lines.ShouldContain(line => line.Contains($"a is {names[0]}, b is {names[1]}", StringComparison.Ordinal));
        lines.ShouldContain(line => line.Contains("a.rtt", StringComparison.Ordinal)
            && line.Contains("b.rtt", StringComparison.Ordinal));
        run.Merged("a.rtt").TotalCount.ShouldBe(2_000);
        run.Merged("b.rtt").TotalCount.ShouldBe(2_000);
        var comparison = run.Record.Comparison.ShouldNotBeNull();
        comparison.Turns.ShouldBe(10);
        var ratio = run.Record.Metrics[$"comparison.{comparison.Series}.p50.ratio"];
        ratio.ShouldBe(comparison.Percentiles[0].Ratio);
        lines[^1].ShouldContain($" comparison.{comparison.Series}.p50.ratio=");
    }

    [Theory]
    [InlineData("--rate", "1000")]
    [InlineData("--rate", "0")]
    public async Task Run_OnTwoEndpoints_OneOfThemBehindALink_SaysByHowMuchItIsWorse(params string[] rate)
    {
        var other = await StartServer();
        await StartConsumer();
        await StartConsumerAt(other);
        using var link = WanLink.Start(new WanLinkOptions
        {
            Routes = [LinkRoute.Tcp(new IPEndPoint(IPAddress.Loopback, other.Port))],
            Profile = LinkProfile.Symmetric(TimeSpan.FromMilliseconds(10)),
        });

        var producer = await RunProducer(
            ["--redis", $"redis://127.0.0.1:{link.PortOf()}", .. rate, "--duration", "8s", "--warmup", "100"]);

        var comparison = SavedRun.Of(producer).Record.Comparison.ShouldNotBeNull();
        var median = comparison.Percentiles[0];
        median.Outcome.ShouldBe(ComparisonOutcome.Worse, producer.ToString());
        median.DifferenceLowerNs.ShouldBeLessThanOrEqualTo(median.DifferenceNs);
        median.DifferenceNs.ShouldBeInRange(10e6, 30e6, producer.ToString());
        median.DifferenceUpperNs.ShouldBeGreaterThan(10e6);
        producer.Output.Lines.ShouldContain(line => line.StartsWith("COMPARISON of rtt", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Run_OnOneServerByTwoNames_IsRefused()
    {
        await StartConsumer();

        var producer = StartProducer("--redis", $"redis://localhost:{Server.Port}", "--duration", "1s");

        (await producer.End()).ShouldBe(3, producer.ToString());
        producer.Errors.ToString().ShouldContain("are the same server.");
    }

    [Fact]
    public async Task Run_OnTwoEndpoints_OneOfWhichIsLost_CountsWhatItsTurnsWouldHaveSent()
    {
        var other = await StartServer();
        await StartConsumer();
        await StartConsumerAt(other);
        var producer = StartProducer(
            "--redis", other.Uri, "--rate", "1000", "--duration", "10s", "--warmup", "100", "--reconnect-timeout", "1s");
        await producer.Errors.WaitFor(" of 20 turns.");
        await other.Kill();

        (await producer.End()).ShouldBe(5, producer.ToString());

        var run = SavedRun.Of(producer);
        run.Record.Partial.ShouldBeTrue();
        run.Record.Summaries[1].Count(Counted.Asked).ShouldBe(10_000);
        run.Record.Metrics.Keys.ShouldNotContain("b.rtt-intended.p99");
    }

    [Fact]
    public async Task Run_WithItsFloor_PrintsItBesideTheResultAndHoldsNoThresholdAgainstIt()
    {
        await StartConsumer();

        var producer = await RunProducer(
            "--floor", "--rate", "1000", "--iterations", "1000", "--warmup", "100", "--threshold", "rtt.count>=1000");

        var run = SavedRun.Of(producer);
        run.Record.Summaries.Select(summary => summary.Name).ShouldBe(["floor", Server.Uri["redis://".Length..]]);
        run.Record.Summaries.ShouldAllBe(summary => summary.Count(Counted.Returned) == 1_000);
        run.Record.Thresholds.ShouldHaveSingleItem().Held.ShouldBe(true);
    }
}
