using RedisLatency.Hosting.Members;
using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Targets;
using RedisLatency.Reports.Figures;
using RedisLatency.Workloads.Engine;
using RedisLatency.Workloads.FrontEnds;
using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads.Phases;

internal sealed record WorkloadJob
{
    public required IReadOnlyList<PhasePlan> Phases { get; init; }

    /// <summary>The servers; empty for the in-process one.</summary>
    public required IReadOnlyList<ResolvedTarget> Targets { get; init; }

    public required MeasuringOptions Options { get; init; }

    public required Func<IReadOnlyList<EffectiveOption>> Effective { get; init; }

    public ScenarioFacts? Scenario { get; init; }

    /// <summary>Whether it goes on until it is stopped, and how its results are rotated.</summary>
    public RotationOptions Rotation { get; init; } = new();

    /// <summary>The search that its last phase begins; null where there is none.</summary>
    public SearchPlan? Search { get; init; }

    public required string Run { get; init; }

    public required string Instance { get; init; }

    /// <summary>What is shown of it where that is another tool's output; null for our own.</summary>
    public FrontEnd? FrontEnd { get; init; }

    /// <summary>Where it meets other processes that measure with it; null where it measures alone.</summary>
    public FleetPlan? Fleet { get; init; }

    /// <summary>Every target, and where members meet: whose passwords nobody may read.</summary>
    public IEnumerable<ResolvedTarget> Servers => Fleet is null ? Targets : Targets.Append(Fleet.Control);

    public RunningOptions Running => Options.Running;

    public OutputOptions Output => Options.Output;

    /// <summary>Whether somebody said what is measured, be it the server in this process.</summary>
    public bool IsTargetGiven => Options.Target.Given.Count > 0;

    /// <summary>Whether two servers are measured in turns.</summary>
    public bool IsComparison => Targets.Count > 1;

    public bool IsSelfContained => Targets.Count == 0;

    /// <summary>One member's part of it.</summary>
    public WorkloadJob PartOf(FleetRun fleet) => this with
    {
        Phases = [.. Phases.Select(phase => phase.PartOf(new MemberShare(fleet.Index, fleet.Count)))],
    };

    public RunMember Member => new("workload", Run, Instance, Options.Identity.Region, Effective);
}
