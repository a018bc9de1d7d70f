using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Targets;
using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads;

internal static class WorkloadCatalogue
{
    /// <summary>What one of several processes does that load together.</summary>
    public const string Role = "load";

    public static OptionCatalogue<WorkloadOptions> ForRun() => With(PhaseCatalogue.ForRun())
        .Include(RotationCatalogue.Create(), o => o.Rotation)
        .Rule([RotationCatalogue.Continuous, "--duration", "--operations", "--operations-each", "--find-max-rate"],
            o => o.Rotation.Continuous && o.Phase is not
            { Duration: null, Operations: null, OperationsEach: null, FindMaxRate: null }
                ? "a run without an end is not limited"
                : null)
        .Rule([RotationCatalogue.Continuous, "--repeat", "--floor", "--expect"],
            o => o.Rotation.Continuous
                && (o.Running is { Repeat: > 1 } or { Floor: true } || o.Fleet.IsMember)
                ? "a run without an end is one process's, and is measured once"
                : null)
        .Rule([RotationCatalogue.Continuous, "--redis"], o => o.Rotation.Continuous && o.Target.Endpoints.Count != 1
            ? "one server is needed"
            : null);

    public static OptionCatalogue<WorkloadOptions> ForLoad() => With(PhaseCatalogue.ForLoad());

    public static OptionCatalogue<ScenarioOptions> ForScenario() =>
        WithRest(WithTarget(new OptionCatalogue<ScenarioOptions>("Workload")
            .AddArgument("NAME|FILE", o => o.Scenario, Syntax.OptionalText("NAME|FILE"),
                "A built-in scenario or a scenario file; without it the built-in ones are listed", required: false)
            .Group("Scenario")
            .Add("--scale", o => o.Scale, Syntax.Number(1e-12, 1e6).Optional(),
                "Factor for records, operations, durations and pauses; connections stay as they are",
                shownDefault: "1; without --redis so little that it takes seconds")
            .AddList("--only", o => o.Only, Syntax.Text("TEXT"),
                "Only phases whose group or name contains this text")));

    private static OptionCatalogue<WorkloadOptions> With(OptionCatalogue<PhaseOptions> phase) =>
        WithRest(WithTarget(new OptionCatalogue<WorkloadOptions>("Workload")).Include(phase, o => o.Phase));

    private static OptionCatalogue<TOptions> WithTarget<TOptions>(OptionCatalogue<TOptions> catalogue)
        where TOptions : MeasuringOptions, new() => catalogue.Include(
            TargetCatalogue.Create(EndpointSyntax.ProblemUnlessInProcess, EndpointSyntax.Mask, hasInProcess: true),
            o => o.Target);

    private static OptionCatalogue<TOptions> WithRest<TOptions>(OptionCatalogue<TOptions> catalogue)
        where TOptions : MeasuringOptions, new() => catalogue
            .Include(RunningCatalogue.Create(), o => o.Running)
            .Include(IdentityCatalogue.Create(), o => o.Identity)
            .Include(FleetCatalogue.Create(Role), o => o.Fleet)
            .Include(OutputCatalogue.Create(WorkloadMetrics.Problem, "'service.p99<2ms' or 'errors==0'"), o => o.Output)
            .Rule(["--threshold", "--redis"], o => OutputCatalogue.TargetProblem(o.Output, o.Target.Given.Count > 0));
}
