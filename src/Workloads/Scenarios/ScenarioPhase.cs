using RedisLatency.Reports.Figures;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.Scenarios;

/// <summary>One phase of a scenario, its sweeps taken apart.</summary>
internal sealed record ScenarioPhase
{
    /// <summary>What it is called.</summary>
    public required string Name { get; init; }

    /// <summary>What it belongs to: an instance, a value size; or null.</summary>
    public string? Group { get; init; }

    /// <summary>Whether it writes every record once.</summary>
    public bool IsLoad { get; init; }

    /// <summary>How long to wait after it.</summary>
    public TimeSpan Pause { get; init; }

    /// <summary>The options, checked.</summary>
    public required PhaseOptions Options { get; init; }

    /// <summary>The texts that made them.</summary>
    public required IReadOnlyDictionary<string, string> Given { get; init; }

    /// <summary>What was published for it.</summary>
    public IReadOnlyList<PublishedFigure> Published { get; init; } = [];

    /// <summary>Group and name.</summary>
    public string FullName => Group is null ? Name : $"{Group}, {Name}";

    /// <summary>The phase with every default settled.</summary>
    /// <param name="scale">What records, operations, durations and the pause are multiplied by.</param>
    public PhasePlan Plan(double scale)
    {
        var plan = new PhasePlan(Name, IsLoad, Options, scale)
        {
            Group = Group,
            Pause = Pause * scale,
            Published = Published,
        };
        plan.Given = ScaledText.Of(Given, plan);
        return plan;
    }
}
