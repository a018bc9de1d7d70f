using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Records;

namespace RedisLatency.Integration.Workloads;

/// <summary>Faults that only the warm-up meets count as those of the measured time.</summary>
public class WarmUpTests : WorkloadTest
{
    // The first record alone is wrong, and one connection does not come to it again.
    private static readonly string[] Once =
        ["--records", "100000", "--keys", "sequential", "--connections", "1", "--warmup", "200ms", "--operations", "10",
            "--key-form", "k{0}", "--live", "none"];

    [Theory]
    [InlineData("raw")]
    [InlineData("stackexchange")]
    public async Task ErrorReply_StopsTheRun_WhereThatIsAskedFor(string driver)
    {
        Ask("LPUSH", "k0", "a list");

        // It would last for minutes.
        var run = await Run(
            4, "run", "--records", "1", "--mix", "get=1", "--key-form", "k{0}", "--warmup", "10m", "--on-error", "stop",
            "--live", "none", "--driver", driver);

        run.Record.Partial.ShouldBeTrue();
        run.Record.Verdict.Reasons[0].ShouldContain("as --on-error stop asks: get: WRONGTYPE");
        run.Count(Counted.Sent).ShouldBe(0);
    }

    [Theory]
    [InlineData("raw")]
    [InlineData("stackexchange")]
    public async Task WrongValue_EndsTheRunWith99(string driver)
    {
        await Load(100_000, "--value", "deterministic", "--key-form", "k{0}", "--live", "none");
        Ask("SET", "k0", "another value");

        var run = await Run(99, "run", ["--mix", "get=1", "--verify", "--driver", driver, .. Once]);

        run.Count(Counted.Wrong).ShouldBe(0);
        run.Record.Verdict.IsMeasured.ShouldBeTrue("the latencies are those of what was asked");
        run.Record.Verdict.Reasons.ShouldContain(
            "run, warm-up: 1 values read by get are not what this workload wrote, or are missing though they were "
            + "loaded.");
    }

    /// <summary>MGET that is another server's SMEMBERS: right for a set of one member, wrong where there is none.</summary>
    [Fact]
    public async Task ReplyOfAWrongKind_MakesTheRunNotValid()
    {
        await using var server = await RedisServerProcess.Start(
            "redis-server", "--rename-command", "MGET", "OTHER", "--rename-command", "SMEMBERS", "MGET");
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        connection.Execute("EVAL", "for i = 1, 99999 do redis.call('SADD', 'k' .. i, 'v') end", "0");

        await using var process = ServiceProcess.Start(
            "Workloads", ["run", "--redis", server.Uri, "--mix", "mget:1=1", "--protocol", "2", .. Once]);

        (await process.End()).ShouldBe(4, process.ToString());
        var record = SavedRun.Of(process).Record;
        record.Verdict.Status.ShouldBe(VerdictStatus.NotValid);
        record.Verdict.Reasons[0].ShouldStartWith("run, warm-up: 1 replies were of a kind that their command cannot have");
        record.Summaries.ShouldHaveSingleItem().Count(Counted.Errors).ShouldBe(0);
    }
}
