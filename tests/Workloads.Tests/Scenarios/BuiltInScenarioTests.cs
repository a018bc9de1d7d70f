using RedisLatency.Reports.Figures;
using RedisLatency.Workloads.Phases;
using RedisLatency.Workloads.Scenarios;

namespace RedisLatency.Workloads.Tests.Scenarios;

/// <summary>The built-in scenarios have what was published, configuration and figures.</summary>
public class BuiltInScenarioTests
{
    public static TheoryData<string> Names => [.. ScenarioLibrary.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Scenario_CanBePlanned_AtAnyScale(string name)
    {
        var scenario = ScenarioLibrary.Find(name);

        foreach (var scale in (double[])[1, 1e-3, 1e-9, scenario.DemonstrationScale])
            scenario.PlansAt(scale).ShouldAllBe(plan => plan.Problem() == null);
        scenario.Phases.ShouldAllBe(phase => phase.Published.Count > 0);
        var seconds = scenario.PlansAt(scenario.DemonstrationScale)
            .Sum(plan => ((plan.Duration ?? TimeSpan.Zero) + plan.Pause).TotalSeconds);
        seconds.ShouldBeLessThan(5);
    }

    [Theory]
    [InlineData("tair.essd.standard.xlarge (memory > data)", 20_000_000, 20_000_000, 32)]
    [InlineData("tair.essd.standard.2xlarge (memory > data)", 40_000_000, 40_000_000, 50)]
    [InlineData("tair.essd.standard.4xlarge (memory > data)", 80_000_000, 80_000_000, 100)]
    [InlineData("tair.essd.standard.8xlarge (memory > data)", 160_000_000, 160_000_000, 120)]
    [InlineData("tair.essd.standard.13xlarge (memory > data)", 240_000_000, 240_000_000, 160)]
    [InlineData("tair.essd.standard.xlarge (data > memory)", 640_000_000, 20_000_000, 32)]
    [InlineData("tair.essd.standard.2xlarge (data > memory)", 1_280_000_000, 40_000_000, 50)]
    [InlineData("tair.essd.standard.4xlarge (data > memory)", 2_560_000_000, 80_000_000, 100)]
    [InlineData("tair.essd.standard.8xlarge (data > memory)", 5_120_000_000, 160_000_000, 120)]
    [InlineData("tair.essd.standard.13xlarge (data > memory)", 7_680_000_000, 240_000_000, 160)]
    public void TairEssd_HasEveryRowsConfiguration(string group, long records, long operations, int threads)
    {
        var plans = ScenarioLibrary.Find("tair-essd").PlansAt(1).Where(plan => plan.Group == group).ToList();

        plans.Select(plan => plan.Name).ShouldBe(["Load", "Uniform-Read", "Zipfian-Read", "Uniform-50%Read-50%Update"]);
        plans.Select(plan => plan.Keys.Name).ShouldBe(["partitioned", "uniform", "ycsb", "uniform"]);
        plans.ShouldAllBe(plan => plan.Records == records && plan.Size.Minimum == 100);
        plans.ShouldAllBe(plan => plan.Connections == threads);
        plans.Select(plan => plan.Operations).ShouldBe([records, operations, operations, operations]);
        plans.Select(plan => plan.Pause.TotalSeconds).ShouldBe([600, 60, 60, 0]);
        plans.Skip(1).SelectMany(plan => plan.Mix.Operations.Select(operation => operation.Command.Text))
            .ShouldBe(["GET __key__", "GET __key__", "GET __key__", "SET __key__ __data__"]);
    }

    [Fact]
    public void TairEssd_HasTheFiguresThatWerePublished()
    {
        var phases = ScenarioLibrary.Find("tair-essd").Phases;

        FiguresOf(phases[0]).ShouldBe([(null, 36_740, 851, 1_595)]);
        FiguresOf(phases[17]).ShouldBe([(null, 673_183, 231, 637)]);
        FiguresOf(phases[39]).ShouldBe(
            [(null, 39_584, null, null), ("read", null, 4_022, 12_159), ("update", null, 4_057, 12_239)]);
    }

    [Fact]
    public void TairPmem_HasASweepOverValueSizes_WithItsFigures()
    {
        var scenario = ScenarioLibrary.Find("tair-pmem");

        scenario.PlansAt(1).Select(plan => plan.Size.Minimum).Distinct().ShouldBe([128, 256, 1024, 2048, 4096]);
        scenario.PlansAt(1).ShouldAllBe(plan => plan.Records * plan.Size.Minimum == 8L << 30);
        FiguresOf(scenario.Phases[0]).ShouldBe([(null, 134_478, 473, 687)]);
        FiguresOf(scenario.Phases[13]).ShouldBe([(null, 115_433, 548, 808)]);
        FiguresOf(scenario.Phases[14]).ShouldBe(
            [(null, 78_994, null, null), ("read", null, 819, 1_042), ("update", null, 791, 1_024)]);
    }

    [Fact]
    public void TairClusterMemtier_IsThePublishedCommand()
    {
        var plan = ScenarioLibrary.Find("tair-cluster-memtier").PlansAt(1).ShouldHaveSingleItem();

        plan.Connections.ShouldBe(200);
        plan.Duration.ShouldBe(TimeSpan.FromSeconds(1_800));
        plan.Size.Minimum.ShouldBe(32);
        plan.Mix.IsCyclic.ShouldBeTrue();
        plan.Mix.Operations.Select(operation => operation.Name).ShouldBe(["set", "get"]);
        plan.Published.Count.ShouldBe(10);
        plan.Published[^1].Qps.ShouldBe(10_240_000);
    }

    [Fact]
    public void ShakeWriteLoad_IsThePublishedCommand()
    {
        var plan = ScenarioLibrary.Find("shake-write-load").PlansAt(1).ShouldHaveSingleItem();

        plan.Connections.ShouldBe(256);
        plan.Pipeline.ShouldBe(2);
        plan.Records.ShouldBe(10_000_000);
        plan.Operations.ShouldBe(1_000_000_000);
        plan.Size.Minimum.ShouldBe(8);
        plan.Published[0].Qps.ShouldBe(1_500_000);
    }

    private static IEnumerable<(string?, double?, double?, double?)> FiguresOf(PhasePlan phase) =>
        phase.Published.Select(
            (PublishedFigure figure) => (figure.Operation, figure.Qps, figure.AverageUs, figure.P99Us));
}
