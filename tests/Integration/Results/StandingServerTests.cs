using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Results;

/// <summary>A server that stands still for a while: the answer says so, in every role that waits for one.</summary>
public sealed class StandingServerTests
{
    private static readonly TimeSpan Stop = TimeSpan.FromSeconds(1.2);

    [Theory]
    [InlineData("Workloads", "run --records 10 --connections 2 --duration 4s --warmup 0s", "limit: nothing was answered for")]
    [InlineData("Producer", "--rate 0 --duration 4s --warmup 0", null)]
    public async Task Answer_OfAServerThatStoodStill_SaysForHowLongAndWhen(string service, string line, string? besides)
    {
        await using var server = await RedisServerProcess.Start();
        await using var consumer = ServiceProcess.Start("Consumer", "--redis", server.Uri);
        await consumer.Errors.WaitFor("Serving ");
        await using var process = ServiceProcess.Start(service, [.. line.Split(' '), "--redis", server.Uri]);
        await process.Errors.WaitFor(" 0:01 ");

        server.Pause();
        await Task.Delay(Stop, TestContext.Current.CancellationToken);
        server.Resume();

        (await process.End()).ShouldBe(0, process.ToString());
        var text = string.Join(' ', process.Output.ToString().Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));
        text.ShouldMatch(@" Nothing was answered for [12]\.\d s at 0:0\d\.");
        if (besides is not null)
            text.ShouldContain(besides);
    }

    [Fact]
    public async Task Verify_OfRecordsThatWereLoadedOtherwise_IsRefused()
    {
        await using var server = await RedisServerProcess.Start();
        await using var load = ServiceProcess.Start("Workloads", "load", "--records", "100", "--redis", server.Uri);
        (await load.End()).ShouldBe(0, load.ToString());

        await using var process = ServiceProcess.Start(
            "Workloads", "run", "--mix", "get=1", "--records", "100", "--operations", "100", "--warmup", "0s", "--verify",
            "--redis", server.Uri);

        (await process.End()).ShouldBe(3, process.ToString());
        process.Errors.ToString().ShouldContain(
            "--verify compares with --value deterministic, and the records were loaded with --value ycsb: load them with --value "
            + "deterministic");
    }

    [Fact]
    public async Task Verify_OfRecordsThatWereLoadedForIt_FindsThemAll()
    {
        await using var server = await RedisServerProcess.Start();
        await using var load = ServiceProcess.Start(
            "Workloads", "load", "--records", "100", "--value", "deterministic", "--redis", server.Uri);
        (await load.End()).ShouldBe(0, load.ToString());

        await using var process = ServiceProcess.Start(
            "Workloads", "run", "--mix", "get=1", "--records", "100", "--operations", "100", "--warmup", "0s", "--verify",
            "--redis", server.Uri);

        (await process.End()).ShouldBe(0, process.ToString());
        process.Output.ToString().ShouldNotContain("not what this workload wrote");
    }
}
