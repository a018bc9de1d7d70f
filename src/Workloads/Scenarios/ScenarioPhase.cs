using RedisLatency.Reports.Figures;
using RedisLatency.Workloads.Options;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.Scenarios;

internal sealed record ScenarioPhase
{
    public required string Name { get; init; }

    /// <summary>What it belongs to: an instance, a value size; or null.</summary>
    public string? Group { get; init; }

    public bool IsLoad { get; init; }

    public TimeSpan Pause { get; init; }

    public required PhaseOptions Options { get; init; }

    public required IReadOnlyDictionary<string, string> Given { get; init; }

    public IReadOnlyList<PublishedFigure> Published { get; init; } = [];

    public string FullName => Group is null ? Name : $"{Group}, {Name}";

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
