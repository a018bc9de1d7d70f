using System.Globalization;
using System.Text.RegularExpressions;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Integration.Workloads;

public class FaultTests : WorkloadTest
{
    [Fact]
    public async Task ErrorReplies_AreCountedByTheirCode_AndTheRunIsNotValid()
    {
        Ask("LPUSH", "user6284781860667377211", "a list");

        var run = await Run(
            4, "run", "--records", "2", "--workload", "c", "--keys", "sequential", "--operations", "200", "--warmup",
            "0s");

        var operation = run.Summary.Workload!.Operations.ShouldHaveSingleItem();
        run.Count(Counted.Errors).ShouldBe(100);
        operation.ErrorReplies["WRONGTYPE"].ShouldBe(100);
        run.Count(Counted.Completed).ShouldBe(100);
        run.Count(Counted.Misses).ShouldBe(100);
        run.Record.Verdict.Reasons.ShouldContain(reason => reason.Contains("100 × WRONGTYPE for read"));
    }

    [Fact]
    public async Task OnErrorStop_EndsAtTheFirst()
    {
        Ask("LPUSH", "user6284781860667377211", "a list");

        var run = await Run(
            4, "run", "--records", "1", "--workload", "c", "--keys", "sequential", "--duration", "10m", "--warmup",
            "0s",
            "--on-error", "stop");

        run.Record.Verdict.Reasons[0].ShouldContain("as --on-error stop asks: read: WRONGTYPE");
        (run.Record.Partial, run.Record.PartialReason).ShouldBe((true, "stopped by an error reply"));
        run.Count(Counted.Errors)!.Value.ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task OnErrorRetry_SendsAgainWhatMayPass()
    {
        Ask("CONFIG", "SET", "maxmemory", "1");

        var run = await Run(
            4, "load", "--records", "20", "--connections", "2", "--on-error", "retry", "--max-retries", "3");

        var operation = run.Summary.Workload!.Operations.ShouldHaveSingleItem();
        run.Count(Counted.Errors).ShouldBe(20);
        var retried = run.Count(Counted.Retried)!.Value;
        retried.ShouldBeInRange(1, 60);
        operation.ErrorReplies["OOM"].ShouldBe(20 + retried);
        Ask("DBSIZE").ShouldBe("0");
    }

    [Fact]
    public async Task ServerThatIsKilled_IsATargetThatWasLost_WithPartialResults()
    {
        await Load(100);
        var process = Start(
            "run", "--records", "100", "--duration", "10m", "--warmup", "0s", "--reconnect-timeout", "1s", "--live",
            "plain");
        await process.Errors.WaitFor("a second of the measured phase", IsAtWork);

        await Server.Kill();

        (await process.End()).ShouldBe(5, process.ToString());
        var run = SavedRun.Of(process);
        run.Record.Partial.ShouldBeTrue();
        run.Count(Counted.Returned).ShouldNotBeNull().ShouldBeGreaterThan(0);
        foreach (var name in run.Summary.Workload!.Operations.Select(operation => operation.Name).Append(null))
        {
            run.Summary.Count(Counted.Sent, name).ShouldBe(
                ((Metric[])[Counted.Completed, Counted.Errors, Counted.TimedOut, Counted.Lost])
                    .Sum(metric => run.Summary.Count(metric, name)!.Value));
        }

        run.Count(Counted.Lost)!.Value.ShouldBeGreaterThan(0);
    }

    [Fact]
    public async Task RateOfAServerThatIsGivenUp_IsOfAllThatWasAskedFor()
    {
        await Load(100);
        var process = Start(
            "run", "--records", "100", "--duration", "10m", "--warmup", "0s", "--reconnect-timeout", "1s", "--live",
            "plain", "--rate", "100", "--threshold", "rate>=0.1");
        await process.Errors.WaitFor("a second of the measured phase", IsAtWork);

        await Server.Kill();

        (await process.End()).ShouldBe(5, process.ToString());
        var run = SavedRun.Of(process);
        run.Count(Counted.Asked).ShouldBe(60_000);
        run.Summary.Rates.Asked.ShouldBe(100);
        run.Summary.Rates.Achieved!.Value.ShouldBe(run.Count(Counted.Returned)!.Value / 600.0, 1e-6);
        process.Output.ToString().ShouldContain("✗ rate >= 0.1");
    }

    [Fact]
    public async Task Rate_InTheLiveView_IsNotOfAMoment()
    {
        await Load(100);
        var process = Start(
            "run", "--records", "100", "--duration", "3s", "--warmup", "990ms", "--live", "rich", "--rate", "500");

        (await process.End()).ShouldBeOneOf([0, 4], process.ToString());

        var rates = Regex.Matches(process.Output.ToString(), @"achieved ([\d,.]+)/s")
            .Select(rate => double.Parse(rate.Groups[1].Value, CultureInfo.InvariantCulture)).ToList();
        rates.Count.ShouldBeGreaterThan(1, process.ToString());
        rates.ShouldAllBe(rate => rate < 1_500);
    }

    [Fact]
    public async Task ServerThatComesBack_IsUsedAgain()
    {
        await Load(100);
        var process = Start("run", "--records", "100", "--duration", "10m", "--warmup", "0s", "--live", "plain");
        await process.Errors.WaitFor("a second of the measured phase", IsAtWork);

        await Server.Kill();
        await Server.Restart();
        var before = process.Errors.Lines.Count;
        var (seen, atWork) = (0, 0);
        // The first of them has also what was before.
        await process.Errors.WaitFor(
            "a line of after the restart", line => seen++ >= before && IsAtWork(line) && ++atWork == 2);

        (await process.EndBy("INT")).ShouldBeOneOf([4, 130]);
        var run = SavedRun.Of(process);
        run.Summary.Count(Counted.Reconnected)!.Value.ShouldBeGreaterThan(0);
        CallsOf("get").ShouldBeGreaterThan(0);
    }

    [Theory]
    [InlineData("INT", 130)]
    [InlineData("TERM", 143)]
    public async Task Signal_SavesWhatThereIs(string signal, int exitCode)
    {
        await Load(100);
        var process = Start("run", "--records", "100", "--duration", "10m", "--warmup", "0s", "--live", "plain");
        await process.Errors.WaitFor("a second of the measured phase", IsAtWork);

        (await process.EndBy(signal)).ShouldBe(exitCode, process.ToString());

        var run = SavedRun.Of(process);
        run.Record.Partial.ShouldBeTrue();
        run.Count(Counted.Returned).ShouldNotBeNull().ShouldBeGreaterThan(0);
        run.Count(Counted.Returned).ShouldBe(run.Count(Counted.Sent));
        run.Series("read-service").Count.ShouldBe(run.Merged("read-service").TotalCount);
        process.Output.Lines[^1].ShouldEndWith($"exit={exitCode}");
    }

    [Fact]
    public async Task Server_ThatIsNotThere_IsRefused()
    {
        await Server.Kill();
        var process = Start("run", "--records", "100");

        (await process.End()).ShouldBe(3, process.ToString());
        process.Output.Lines.ShouldBeEmpty();
        SavedRun.FoldersOf(process).ShouldBeEmpty();
    }

    // Columns of the live line: time, time left, rate.
    private static bool IsAtWork(string line) =>
        line.Split(' ', StringSplitOptions.RemoveEmptyEntries) is [var time, _, not "0", ..]
        && char.IsAsciiDigit(time[0]) && time.Contains(':', StringComparison.Ordinal);
}
