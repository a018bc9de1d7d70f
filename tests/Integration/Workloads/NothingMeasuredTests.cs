using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;
using RedisLatency.Server;

namespace RedisLatency.Integration.Workloads;

/// <summary>What was asked for and was not measured is in the record, and the run is not valid.</summary>
public class NothingMeasuredTests : WorkloadTest
{
    private static readonly TimeSpan Long = TimeSpan.FromMinutes(10);

    // One connection, of which the first reply comes long after the end of the phase.
    private static readonly string[] OneConnection =
        ["--connections", "1", "--warmup", "100ms", "--live", "none", "--command-timeout", "10m"];

    [Theory]
    [InlineData("--mix", "get=1")]
    [InlineData("--mix", "get=1", "--driver", "stackexchange")]
    [InlineData("--command", "SUBSCRIBE x=1")]
    public async Task WarmUpThatIsNotAnswered_LeavesNothingMeasured_WhichIsNotValid(params string[] arguments)
    {
        using var server = InProcessServer.Start();
        server.Faults.DelayReply(1, Long, "get");

        await using var process = ServiceProcess.Start(
            "Workloads",
            [
                "run", "--redis", server.Endpoint, "--records", "10", "--duration", "100ms",
                "--threshold", "errors==0", .. OneConnection, .. arguments,
            ]);

        (await process.End()).ShouldBe(4, process.ToString());
        var record = SavedRun.Of(process).Record;
        record.Verdict.Status.ShouldBe(VerdictStatus.NotValid);
        record.Verdict.Reasons.ShouldContain(
            "run: nothing was measured: no operation was sent and ended in its time.", process.ToString());
        record.Thresholds.ShouldHaveSingleItem().Held.ShouldBeNull();
        var counts = record.Summaries.ShouldHaveSingleItem().Metrics;
        (counts.Count(Counted.Asked), counts.Count(Counted.Sent), counts.Count(Counted.Returned)).ShouldBe((0, 0, 0));
        process.Output.Lines[^1].ShouldEndWith("exit=4");
    }

    [Fact]
    public async Task PhaseOfAScenario_OfWhichNothingIsMeasured_IsInTheRecord()
    {
        using var server = InProcessServer.Start();
        server.Faults.DelayReply(1, Long, "getdel");
        const string Scenario = """
            {
              "name": "three",
              "options": { "records": 10, "connections": 1, "warmup": "100ms", "duration": "100ms" },
              "phases": [
                { "name": "before", "options": { "mix": "get=1" } },
                { "name": "silent", "options": { "mix": "getdel=1" } },
                { "name": "after", "options": { "mix": "get=1" } }
              ]
            }
            """;
        var file = Path.Combine(Server.Folder, "three.json");
        await File.WriteAllTextAsync(file, Scenario, TestContext.Current.CancellationToken);

        await using var process = ServiceProcess.Start(
            "Workloads", "scenario", file, "--redis", server.Endpoint, "--live", "none", "--command-timeout", "10m");

        (await process.End()).ShouldBe(4, process.ToString());
        var record = SavedRun.Of(process).Record;
        record.Partial.ShouldBeFalse();
        record.Summaries.Select(summary => summary.Name).ShouldBe(["before", "silent", "after"]);
        record.Summaries.Select(summary => summary.Count(Counted.Returned) > 0).ShouldBe([true, false, true]);
        record.Verdict.Reasons.ShouldContain(reason => reason.StartsWith("silent: nothing was measured"));
        process.Output.Lines[^1].ShouldContain(" phases=3 ");
    }

    [Fact]
    public async Task TurnOfTwoServers_OfWhichNothingIsMeasured_IsInTheRecord()
    {
        using var one = InProcessServer.Start();
        using var other = InProcessServer.Start();
        other.Faults.DelayReply(1, Long, "get");

        await using var process = ServiceProcess.Start(
            "Workloads",
            [
                "run", "--redis", one.Endpoint, "--redis", other.Endpoint, "--records", "10", "--mix", "get=1",
                "--duration", "1s", .. OneConnection,
            ]);

        (await process.End()).ShouldBe(4, process.ToString());
        var record = SavedRun.Of(process).Record;
        var turns = record.Summaries.GroupBy(summary => summary.Workload!.Group).ToList();
        turns.Count.ShouldBe(2);
        turns[0].Count().ShouldBe(turns[1].Count());
        record.Summaries.Count(summary => summary.Count(Counted.Sent) == 0).ShouldBe(1);
        record.Verdict.Status.ShouldBe(VerdictStatus.NotValid);
        record.Verdict.Reasons.ShouldContain(reason => reason.Contains("run 1: nothing was measured"));
        // A turn's percentiles that are not known are not those of the turns that are left.
        record.Comparison.ShouldNotBeNull().Percentiles.ShouldBeEmpty();
    }

    [Fact]
    public async Task ServerThatIsLostInTheWarmUp_LeavesARecord()
    {
        var process = Start(
            "run", "--records", "10", "--mix", "get=1", "--warmup", "10m", "--duration", "1s", "--repeat", "2",
            "--reconnect-timeout", "1s", "--live", "none", "--threshold", "errors==0");
        await Eventually.Is("the warm-up goes on", () => CallsOf("get") > 0);

        await Server.Kill();

        (await process.End()).ShouldBe(5, process.ToString());
        var record = SavedRun.Of(process).Record;
        record.Partial.ShouldBeTrue();
        record.Summaries.Select(summary => summary.Name).ShouldBe(["run", "run 2"]);
        record.Summaries.ShouldAllBe(summary => summary.Count(Counted.Sent) == 0);
        record.Thresholds.ShouldAllBe(threshold => threshold.Held == null);
        record.Verdict.Reasons.ShouldContain("Not measured, because the run ended before: run; run 2.");
    }

    [Fact]
    public async Task PhasesThatASignalLeavesOut_AreNamed()
    {
        var process = Start(
            "", "--records", "10", "--mix", "get=1", "--warmup", "10m", "--live", "none", "--connections", "1");
        await Eventually.Is("the second phase warms up", () => CallsOf("get") > 0);

        (await process.EndBy("INT")).ShouldBe(130, process.ToString());

        var record = SavedRun.Of(process).Record;
        record.Partial.ShouldBeTrue();
        record.Summaries.Select(summary => summary.Name).ShouldBe(["load", "run"]);
        record.Verdict.Status.ShouldNotBe(VerdictStatus.NotValid);
        record.Verdict.Reasons.ShouldContain("Not measured, because the run ended before: run.");
    }
}
