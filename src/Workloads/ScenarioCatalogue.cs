using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Targets;
using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads;

internal static class ScenarioCatalogue
{
    public static OptionCatalogue<ScenarioOptions> Create() => new OptionCatalogue<ScenarioOptions>("Workload")
        .AddArgument("NAME|FILE", o => o.Scenario, Syntax.OptionalText("NAME|FILE"),
            "A built-in scenario or a scenario file; without it the built-in ones are listed", required: false)
        .Group("Scenario")
        .Add("--scale", o => o.Scale, Syntax.Number(1e-12, 1e6).Optional(),
            "What records, operations, durations and pauses are multiplied by; connections stay",
            shownDefault: "1; without --redis so little that it takes seconds")
        .AddList("--only", o => o.Only, Syntax.Text("TEXT"), "Only the phases whose group or name has this text in it")
        .Include(TargetCatalogue.Create(
                EndpointSyntax.ProblemUnlessInProcess, EndpointSyntax.Mask, hasInProcess: true), o => o.Target)
        .Include(RunningCatalogue.Create(), o => o.Running)
        .Include(IdentityCatalogue.Create(), o => o.Identity)
        .Include(OutputCatalogue.Create(WorkloadMetrics.Problem), o => o.Output)
        .Rule(["--threshold", "--redis"], o => OutputCatalogue.TargetProblem(o.Output, o.Target.Given.Count > 0));
}
