using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Targets;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads;

internal static class WorkloadCatalogue
{
    public static OptionCatalogue<WorkloadOptions> ForRun() => With(PhaseCatalogue.ForRun());

    public static OptionCatalogue<WorkloadOptions> ForLoad() => With(PhaseCatalogue.ForLoad());

    private static OptionCatalogue<WorkloadOptions> With(OptionCatalogue<PhaseOptions> phase) =>
        new OptionCatalogue<WorkloadOptions>("Workload")
            .Include(TargetCatalogue.Create(
                EndpointSyntax.ProblemUnlessInProcess, EndpointSyntax.Mask, hasInProcess: true), o => o.Target)
            .Include(phase, o => o.Phase)
            .Include(RunningCatalogue.Create(), o => o.Running)
            .Include(IdentityCatalogue.Create(), o => o.Identity)
            .Include(OutputCatalogue.Create(WorkloadMetrics.Problem), o => o.Output)
            .Rule(["--threshold", "--redis"], o => OutputCatalogue.TargetProblem(o.Output, o.Target.Given.Count > 0));
}
