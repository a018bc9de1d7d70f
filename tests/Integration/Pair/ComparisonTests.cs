using RedisLatency.Integration.Results;

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
        run.Record.Summaries.ShouldAllBe(summary => summary.Counts.Returned == 2_000 && summary.Counts.Lost == 0);
        var lines = producer.Output.Lines;
        lines.ShouldContain(line => line.Contains($"A is {names[0]}, B is {names[1]}", StringComparison.Ordinal));
        lines.ShouldContain(line => line.Contains("sent A", StringComparison.Ordinal)
            && line.Contains("sent B", StringComparison.Ordinal));
        run.Merged("a.rtt").TotalCount.ShouldBe(2_000);
        run.Merged("b.rtt").TotalCount.ShouldBe(2_000);
    }

    [Fact]
    public async Task Run_WithItsFloor_PrintsItBesideTheResultAndHoldsNoThresholdAgainstIt()
    {
        await StartConsumer();

        var producer = await RunProducer(
            "--floor", "--rate", "1000", "--iterations", "1000", "--warmup", "100", "--threshold", "rtt.count>=1000");

        var run = SavedRun.Of(producer);
        run.Record.Summaries.Select(summary => summary.Name).ShouldBe(["floor", Server.Uri["redis://".Length..]]);
        run.Record.Summaries.ShouldAllBe(summary => summary.Counts.Returned == 1_000);
        run.Record.Thresholds.ShouldHaveSingleItem().Held.ShouldBe(true);
    }
}
