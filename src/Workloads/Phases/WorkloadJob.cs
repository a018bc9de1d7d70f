using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.RunOptions;
using RedisLatency.Hosting.Targets;
using RedisLatency.Reports.Figures;
using RedisLatency.Workloads.Options;

namespace RedisLatency.Workloads.Phases;

/// <summary>What a process is to do, whichever verb asked for it.</summary>
internal sealed record WorkloadJob
{
    /// <summary>The phases, in order.</summary>
    public required IReadOnlyList<PhasePlan> Phases { get; init; }

    /// <summary>The servers; empty for the in-process one.</summary>
    public required IReadOnlyList<ResolvedTarget> Targets { get; init; }

    /// <summary>What carries operations, to the in-process server too.</summary>
    public DriverKind Driver { get; init; }

    /// <summary>How the process works.</summary>
    public required RunningOptions Running { get; init; }

    /// <summary>Which run and process this is.</summary>
    public required IdentityOptions Identity { get; init; }

    /// <summary>What is printed and kept.</summary>
    public required OutputOptions Output { get; init; }

    /// <summary>Every option with its value and where it came from.</summary>
    public required Func<IReadOnlyList<EffectiveOption>> Effective { get; init; }

    /// <summary>The scenario, or null.</summary>
    public ScenarioFacts? Scenario { get; init; }

    /// <summary>The run's name.</summary>
    public required string Run { get; init; }

    /// <summary>The process's name.</summary>
    public required string Instance { get; init; }

    /// <summary>Whether somebody said what is measured, be it the server in this process.</summary>
    public bool IsTargetGiven { get; init; }

    /// <summary>Whether the server is in this process.</summary>
    public bool IsSelfContained => Targets.Count == 0;
}
