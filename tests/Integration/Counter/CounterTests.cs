using RedisLatency.Integration.Pair;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Integration.Counter;

public class CounterTests : PairTest
{
    [Fact]
    public async Task Run_AgainstAConsumerInAnotherLanguage_ChecksAThousandCounts()
    {
        await StartPython("answer.py");

        var producer = await RunProducer("--payload", "counter");

        var run = SavedRun.Of(producer);
        run.Count(Counted.Sent).ShouldBe(1_000, producer.ToString());
        run.Count(Counted.Returned).ShouldBe(1_000);
        (run.Count(Counted.Wrong) + run.Count(Counted.Lost) + run.Count(Counted.Duplicated)).ShouldBe(0);
        run.Summary.Latencies.Select(series => series.Name).ShouldBe(["rtt"]);
        run.Series("rtt").Count.ShouldBe(1_000);
        run.Record.ExitCode.ShouldBe(0, producer.ToString());
    }

    [Fact]
    public async Task Run_AgainstAConsumerThatMiscounts_PrintsTheFirstWrongAnswer()
    {
        await StartPython("answer.py", "700");

        var producer = await RunProducer("--payload", "counter");

        (await producer.End()).ShouldBe(4, producer.ToString());
        producer.Output.ToString().ShouldContain("1 wrong answers, the first: sent 700, received 701");
        var counts = SavedRun.Of(producer).Metrics;
        counts.Count(Counted.Wrong).ShouldBe(1);
        counts.Count(Counted.Returned).ShouldBe(999);
        counts.Count(Counted.Lost).ShouldBe(0);
    }

    [Fact]
    public async Task Consumer_AskedByAProducerInAnotherLanguage_AnswersEachCount()
    {
        await StartConsumer("--channel", "ping", "--reply-channel", "pong");

        var producer = Own(PythonProgram.Start("ask.py", Server.Port, "500"));

        (await producer.ReadLine()).ShouldBe("500 answered");
    }

    private async Task StartPython(string name, params string[] arguments) =>
        (await Own(PythonProgram.Start(name, Server.Port, arguments)).ReadLine()).ShouldBe("ready");
}
