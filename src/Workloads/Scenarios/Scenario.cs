using RedisLatency.Reports.Figures;
using RedisLatency.Workloads.Phases;

namespace RedisLatency.Workloads.Scenarios;

internal sealed record Scenario
{
    // Without a server of the user's own a scenario is a demonstration, which nobody waits long for.
    private const double DemonstrationOperations = 200_000;
    private const double DemonstrationSeconds = 4;

    public required string Name { get; init; }

    public string? Description { get; init; }

    public string? Source { get; init; }

    /// <summary>The phases, sweeps taken apart, in their order.</summary>
    public required IReadOnlyList<PhasePlan> Phases { get; init; }

    public Scenario Only(IReadOnlyList<string> texts) => texts.Count == 0 ? this : this with
    {
        Phases =
        [
            .. Phases.Where(phase => texts.Any(
                text => phase.FullName.Contains(text, StringComparison.OrdinalIgnoreCase))),
        ],
    };

    public Scenario WithCommandTimeout(TimeSpan limit) => this with
    {
        Phases =
        [
            .. Phases.Select(phase => phase with
            {
                Options = phase.Options.With(options => options.CommandTimeout = limit),
                Given = phase.Given.Where(option => option.Key != "command-timeout").ToDictionary(),
            }),
        ],
    };

    /// <summary>A scale at which it takes some seconds on the in-process server.</summary>
    public double DemonstrationScale
    {
        get
        {
            var operations = Phases.Sum(phase => (double)(phase.Operations ?? 0));
            var seconds = Phases.Sum(phase => (phase.Duration ?? TimeSpan.Zero).TotalSeconds
                + phase.WarmUp.TotalSeconds + phase.Pause.TotalSeconds);
            return Math.Min(1, Math.Min(DemonstrationOperations / operations, DemonstrationSeconds / seconds));
        }
    }

    public ScenarioFacts FactsAt(double scale) =>
        new() { Name = Name, Description = Description, Source = Source, Scale = scale };

    public IReadOnlyList<PhasePlan> PlansAt(double scale) => [.. Phases.Select(phase => phase.Scaled(scale))];
}
