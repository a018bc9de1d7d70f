using RedisLatency.Fixtures;
using RedisLatency.Integration.Pair;

namespace RedisLatency.Integration.Results;

/// <summary>Whatever takes long says on standard error how far it is, in lines, and nothing of it on standard output.</summary>
public class ProgressTests : PairTest
{
    [Fact]
    public async Task AWarmUp_SaysHowLongItTakes_AndHowFarItIs()
    {
        var producer = StartProducer("--warmup", "600s", "--rate", "100", "--format", "json");

        await producer.Errors.WaitFor("Warming up: about 600 s.");
        await producer.Errors.WaitFor(" s so far, of about 600 s.");

        await producer.EndBy("INT");
        producer.Output.ToString().ShouldBeEmpty();
    }

    [Fact]
    public async Task ASynchronisation_SaysWhatItsSourceDoes()
    {
        var other = await StartServer();
        var sync = Own(ServiceProcess.Start("Sync", "sync", Server.Uri, other.Uri));

        await sync.Errors.WaitFor("following what is written.");

        await sync.EndBy("INT");
        sync.Output.ToString().ShouldNotContain("following what");
    }

    [Fact]
    public async Task ASearch_SaysWhatCameOfEachStep()
    {
        var load = Own(ServiceProcess.Start(
            "Workloads", "run", Server.Uri, "--mix", "ping=1", "--find-max-rate", "p99<50ms", "--duration", "3s",
            "--connections", "2"));

        await load.Errors.WaitFor(", response.p99 ");

        await load.EndBy("INT");
        load.Output.ToString().ShouldContain("The search ended before the highest rate was found.");
    }
}
