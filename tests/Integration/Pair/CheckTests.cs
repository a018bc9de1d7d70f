using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Integration.Pair;

public class CheckTests : PairTest
{
    [Fact]
    public async Task Check_WithAConsumer_FindsNothingMissing()
    {
        await StartConsumer("--instance", "there");

        var check = Own(Fixtures.ServiceProcess.Start("Producer", "check", "--redis", Server.Uri));

        (await check.End()).ShouldBe(0, check.ToString());
        check.Output.ToString().ShouldContain("consumer there answers on redislatency:default:ping");
        check.Output.Lines[^1].ShouldBe("RESULT role=producer check=ok exit=0");
        SavedRun.FoldersOf(check).ShouldBeEmpty();
    }

    [Fact]
    public async Task Check_WithoutAConsumer_SaysWhatStartsOne()
    {
        var check = Own(Fixtures.ServiceProcess.Start(
            "Producer", "check", "--redis", Server.Uri, "--run", "lonely", "--consumer", "required"));

        (await check.End()).ShouldBe(3, check.ToString());
        check.Output.ToString().ShouldContain($"{Fixtures.BuiltProgram.TypedFor("Consumer")} --redis {Server.Uri}/0 --run lonely");
        check.Output.Lines[^1].ShouldBe("RESULT role=producer check=failed exit=3");
    }

    [Fact]
    public async Task Check_WithoutAConsumerThatIsRequired_SaysWhoAnswers()
    {
        var check = Own(Fixtures.ServiceProcess.Start("Producer", "check", Server.Uri));

        (await check.End()).ShouldBe(0, check.ToString());
        check.Output.ToString().ShouldContain("note  No consumer answers on redislatency:default:ping");
        check.Output.ToString().ShouldContain("One in this process does.");
    }

    [Fact]
    public async Task Run_WithoutAConsumer_SaysWhatStartsOneWaitsAndRefuses()
    {
        var producer = StartProducer("--peer-timeout", "2s");

        (await producer.End()).ShouldBe(3, producer.ToString());
        producer.Errors.ToString().ShouldContain($"in another terminal: {Fixtures.BuiltProgram.TypedFor("Consumer")} "
            + $"--redis {Server.Uri}");
        SavedRun.FoldersOf(producer).ShouldBeEmpty();
    }

    [Fact]
    public async Task Run_WhoseConsumerComesLater_Measures()
    {
        var producer = StartProducer("--rate", "1000", "--iterations", "500", "--warmup", "0", "--consumer", "required");
        await producer.Errors.WaitFor("in another terminal");

        await StartConsumer();

        await producer.End();
        SavedRun.Of(producer).Count(Counted.Returned).ShouldBe(500);
    }
}
