using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Integration.Pair;

public class NameTests : PairTest
{
    [Fact]
    public async Task Run_OfTwoProducersWithOneName_RefusesTheSecond()
    {
        await StartConsumer("--run", "twins");
        string[] name = ["--run", "twins", "--instance", "same"];
        var first = StartProducer([.. name, "--duration", "10m", "--rate", "100", "--warmup", "0"]);
        await first.Errors.WaitFor(" measure ");

        var second = StartProducer([.. name, "--duration", "1s", "--rate", "100", "--warmup", "0"]);

        (await second.End()).ShouldBe(3, second.ToString());
        second.Errors.ToString().ShouldContain("Another producer of run twins is running with the name same");
        SavedRun.FoldersOf(second).ShouldBeEmpty();
        (await first.EndBy("TERM")).ShouldBe(143, first.ToString());
        SavedRun.Of(first).Count(Counted.Lost).ShouldBe(0);
    }

    [Fact]
    public async Task Run_AfterAProducerOfTheSameNameDied_WaitsUntilItFallsSilent()
    {
        await StartConsumer("--run", "again");
        string[] name = ["--run", "again", "--instance", "same", "--rate", "100", "--warmup", "0"];
        var first = StartProducer([.. name, "--duration", "10m"]);
        await first.Errors.WaitFor(" measure ");
        await first.EndBy("KILL");

        var second = StartProducer([.. name, "--iterations", "10"]);

        var code = await second.End();
        SavedRun.Of(second).ShouldBeValidUnlessLate(code, second);
        SavedRun.Of(second).Count(Counted.Returned).ShouldBe(10);
    }

    [Fact]
    public async Task Run_OfTwoProducersWithOneNameAtTwoServers_NeverSharesAFolder()
    {
        var other = await StartServer();
        await StartConsumer();
        await StartConsumerAt(other);
        var shared = Directory.CreateTempSubdirectory("redislatency-results-");
        try
        {
            string[] same =
            [
                "--instance", "same", "--rate", "1000", "--iterations", "1000", "--warmup", "0",
                "--out", shared.FullName,
            ];
            var first = StartProducer(same);
            var second = Own(ServiceProcess.Start("Producer", ["--redis", other.Uri, .. same]));
            await first.End();
            await second.End();

            var runs = shared.GetDirectories().Select(folder => new SavedRun(folder.FullName)).ToList();

            runs.Select(run => run.Record.Targets.ShouldHaveSingleItem().Name).ShouldBe(
                [Server.Uri["redis://".Length..], other.Uri["redis://".Length..]], ignoreOrder: true);
            runs.ShouldAllBe(run => run.Merged("rtt").TotalCount == 1_000);
        }
        finally
        {
            shared.Delete(recursive: true);
        }
    }
}
