using RedisLatency.Fixtures;

namespace RedisLatency.Workloads.Tests.Options;

/// <summary>The command line as a user meets it: nothing is sent where something in it is wrong.</summary>
public class CommandLineTests
{
    [Fact]
    public async Task Options_ThatCannotBe_AreToldAtOnceWithTheirOrigin()
    {
        await using var workloads = ServiceProcess.Start(
            "Workloads",
            new Dictionary<string, string> { ["REDISLATENCY__Workload__Records"] = "many" },
            "run", "--mix", "gte=1", "--threads", "0", "--threshold", "writes-service.p99");

        (await workloads.End()).ShouldBe(2, workloads.ToString());
        var errors = workloads.Errors.ToString();
        errors.ShouldContain("--records many: a number is needed, for instance 1000, 10k or 2.6m "
            + "(from the environment, REDISLATENCY__Workload__Records)");
        errors.ShouldContain("--mix gte=1: 'gte' is no operation");
        errors.ShouldContain("--threads 0: at least 1 thread");
        errors.ShouldContain("--threshold writes-service.p99: a threshold is needed");
        workloads.Output.Lines.ShouldBeEmpty();
    }

    [Theory]
    [InlineData("load --mix get=1", "unknown option --mix")]
    [InlineData("run --redis in-process --threshold write-service.p99<1ms", "there is no operation write (known: insert, read, update)")]
    [InlineData("scenario tair-esd", "tair-cluster-memtier, tair-essd, tair-pmem; did you mean tair-essd?")]
    [InlineData("scenario tair-essd --only nothing", "--only nothing: no phase has that in it")]
    [InlineData("run --keys gaussian:5000000,1 --records 10", "the median of gaussian:5000000,1 lies outside the keys")]
    public async Task Verb_ThatCannotBe_IsRefusedWithItsReason(string arguments, string reason)
    {
        await using var workloads = ServiceProcess.Start("Workloads", arguments.Split(' '));

        (await workloads.End()).ShouldBe(2, workloads.ToString());
        workloads.Errors.ToString().ShouldContain(reason);
        workloads.Output.Lines.ShouldBeEmpty();
    }

    [Fact]
    public async Task Help_BeginsWithExamples_AndNamesEveryOption()
    {
        await using var workloads = ServiceProcess.Start("Workloads", "run", "--help");

        (await workloads.End()).ShouldBe(0);
        var help = workloads.Output.Lines;
        help.ShouldAllBe(line => line.Length <= 80);
        string[] options =
        [
            "--redis", "--driver", "--workload", "--mix", "--command", "--records", "--operations", "--duration",
            "--threads", "--connections", "--clients", "--pipeline", "--rate", "--arrival", "--keys", "--key-form",
            "--value-size", "--value", "--verify", "--on-error", "--warmup", "--command-timeout", "--seed",
            "--max-in-flight", "--floor", "--threshold", "--out", "--format",
        ];
        foreach (var option in options)
            help.ShouldContain(line => line.Contains($" {option}", StringComparison.Ordinal), option);
    }

    [Fact]
    public async Task Scenario_WithoutAName_ListsTheBuiltInOnes()
    {
        await using var workloads = ServiceProcess.Start("Workloads", "scenario");

        (await workloads.End()).ShouldBe(0, workloads.ToString());
        var list = workloads.Output.ToString();
        string[] names = ["tair-essd, 40 phases", "tair-pmem, 15 phases", "tair-cluster-memtier", "shake-write-load"];
        foreach (var name in names)
            list.ShouldContain(name);
        workloads.Output.Lines.ShouldAllBe(line => line.Length <= 80);
    }
}
