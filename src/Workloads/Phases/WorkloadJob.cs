using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Targets;
using RedisLatency.Reports.Figures;
using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads.Phases;

internal sealed record WorkloadJob
{
    public required IReadOnlyList<PhasePlan> Phases { get; init; }

    /// <summary>The servers; empty for the in-process one.</summary>
    public required IReadOnlyList<ResolvedTarget> Targets { get; init; }

    /// <summary>What carries operations, to the in-process server too.</summary>
    public DriverKind Driver { get; init; }

    public required RunningOptions Running { get; init; }

    public required IdentityOptions Identity { get; init; }

    public required OutputOptions Output { get; init; }

    public required Func<IReadOnlyList<EffectiveOption>> Effective { get; init; }

    public ScenarioFacts? Scenario { get; init; }

    public required string Run { get; init; }

    public required string Instance { get; init; }

    /// <summary>Whether somebody said what is measured, be it the server in this process.</summary>
    public bool IsTargetGiven { get; init; }

    public bool IsSelfContained => Targets.Count == 0;

    public RunMember Member => new("workload", Run, Instance, Identity.Region, Effective);
}
