using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Reports.DeclaredMetrics;

namespace RedisLatency.Integration.Workloads;

public class MainJobTests : WorkloadTest
{
    [Fact]
    public async Task WithNothingGiven_LoadsAndRunsWorkloadA_InThisProcess()
    {
        await using var process = ServiceProcess.Start("Workloads");

        (await process.End()).ShouldBe(0, process.ToString());

        process.Errors.ToString().ShouldContain("No server named");
        var run = SavedRun.Of(process);
        run.Record.Summaries.Select(summary => summary.Name).ShouldBe(["load", "run"]);
        run.Record.Summaries[0].Count(Counted.Returned).ShouldBe(100_000);
        var operations = run.Record.Summaries[1].Workload!.Operations;
        operations.Select(operation => operation.Name).ShouldBe(["read", "update"]);
        run.Record.Summaries[1].Count(Counted.Misses, "read").ShouldBe(0);
        process.Output.Lines.ShouldAllBe(line => line.Length <= 80
            || line.StartsWith("RESULT", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Floor_IsMeasuredBeside_AndLimitsAreNamed()
    {
        await Load(1_000);

        var run = await Run(
            0, "run", "--records", "1000", "--duration", "300ms", "--warmup", "0s", "--floor", "--command-timeout",
            "30s");

        var floor = run.Record.Summaries.Single(summary => summary.Workload!.IsFloor);
        floor.Count(Counted.Returned).ShouldNotBeNull().ShouldBeGreaterThan(0);
        floor.Count(Counted.Misses).ShouldBe(0);
        run.Record.Summaries.Single(summary => !summary.Workload!.IsFloor).Workload!.Limit.ShouldNotBeNull();
    }

    [Fact]
    public async Task Check_SaysWhatARunNeeds_AndWritesNothing()
    {
        var process = Start("check", "--records", "1000", "--workload", "a");

        (await process.End()).ShouldBe(0, process.ToString());
        process.Output.Lines[^1].ShouldBe("RESULT role=workload check=ok exit=0");
        process.Output.ToString().ShouldContain("the database has 0 keys and the run expects 1,000: load them first");
        process.Output.ToString().ShouldContain("may send every operation");
        Ask("DBSIZE").ShouldBe("0");
        SavedRun.FoldersOf(process).ShouldBeEmpty();
    }

    [Fact]
    public async Task Check_WithoutTheRight_SaysSo()
    {
        Ask("ACL", "SETUSER", "reader", "on", ">secret", "~*", "+@read", "+@connection", "+info", "+dbsize", "+acl");
        var password = Path.Combine(Server.Folder, "password");
        await File.WriteAllTextAsync(password, "secret\n", TestContext.Current.CancellationToken);
        var process = Start("check", "--records", "10", "--user", "reader", "--password-file", password);

        (await process.End()).ShouldBe(3, process.ToString());
        process.Output.ToString().ShouldContain("FAIL  ");
        process.Output.Lines[^1].ShouldBe("RESULT role=workload check=failed exit=3");
    }
}
