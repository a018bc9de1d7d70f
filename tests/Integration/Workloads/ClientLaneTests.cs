using RedisLatency.Fixtures;
using RedisLatency.Integration.Results;
using RedisLatency.Redis.StackExchange;
using RedisLatency.Reports.DeclaredMetrics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Integration.Workloads;

/// <summary>Workloads as an application would send them: <c>--driver stackexchange</c>.</summary>
public class ClientLaneTests : WorkloadTest
{
    private static readonly string[] Driver = ["--driver", "stackexchange"];

    [Fact]
    public async Task LoadAndRun_CountAsTheServerDoes_AndNameTheDriver()
    {
        await Load(2_000, Driver);
        Ask("DBSIZE").ShouldBe("2001", "the records, and the note of them");

        var run = await Run(
            0, "run", [.. Driver, "--workload", "f", "--records", "2000", "--operations", "3000", "--warmup", "0s"]);

        run.Count(Counted.Returned).ShouldBe(3_000);
        run.Summary.Count(Counted.Misses, "read").ShouldBe(0);
        CallsOf("set").ShouldBe(2_000 + run.Summary.Count(Counted.Completed, "rmw")!.Value);
        CallsOf("get").ShouldBe(3_000);
        var target = run.Record.Targets.ShouldHaveSingleItem();
        (target.Driver, target.DriverVersion).ShouldBe(("stackexchange", ApplicationClient.Version));
        var engine = run.Summary.Workload!.Engine!;
        engine.IsClientLibrary.ShouldBeTrue();
        engine.IsCpuOfProcess.ShouldBeTrue();
        run.Summary.Metrics.Value(Cost.CpuPerOperation).ShouldNotBeNull().ShouldBeGreaterThan(0);
        run.Summary.Metrics.Value(Cost.AllocatedPerOperation).ShouldNotBeNull().ShouldBeGreaterThan(0);
        run.Summary.Count(Counted.BytesSent).ShouldBeNull();
    }

    [Fact]
    public async Task WithNothingElseGiven_ItMeasuresTheServerInThisProcess_AndSaysWhatOperationsCost()
    {
        await using var process = ServiceProcess.Start(
            "Workloads", [.. Driver, "--records", "2000", "--operations", "5000", "--warmup", "100ms"]);

        (await process.End()).ShouldBe(0, process.ToString());

        process.Output.ToString().ShouldContain("callers, those of a thread on one multiplexer");
        process.Output.ToString().ShouldContain("bytes allocated");
        SavedRun.Of(process).Record.Summaries[1].Count(Counted.Returned).ShouldBe(5_000);
    }

    [Fact]
    public async Task WhatCannotBeDoneInThisLane_IsRefused_AllAtOnce()
    {
        var process = Start(
            "run", [.. Driver, "--cpu", "0", "--cluster", "off", "--command", "SELECT 1=1"]);

        (await process.End()).ShouldBe(2, process.ToString());

        var text = process.ToString();
        foreach (var refused in (string[])["--cpu, ", "--cluster off, ", "SELECT 1, "])
            text.ShouldContain(refused + "--driver stackexchange: ");
        SavedRun.FoldersOf(process).ShouldBeEmpty();
    }

    [Fact]
    public async Task Check_AsksWhetherTheClientReachesIt()
    {
        var process = Start("check", Driver);

        (await process.End()).ShouldBe(0, process.ToString());
        process.Output.ToString().ShouldContain($"StackExchange.Redis {ApplicationClient.Version} reaches it too");
    }
}
