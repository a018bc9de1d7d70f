using System.Globalization;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Values;
using RedisLatency.Workloads.Options;
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
    public required IReadOnlyList<ScenarioPhase> Phases { get; init; }

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
            var plans = Phases.Select(phase => phase.Plan(1)).ToList();
            var operations = plans.Sum(plan => (double)(plan.Operations ?? 0));
            var seconds = plans.Sum(plan => (plan.Duration ?? TimeSpan.Zero).TotalSeconds + plan.WarmUp.TotalSeconds
                + plan.Pause.TotalSeconds);
            return Math.Min(1, Math.Min(DemonstrationOperations / operations, DemonstrationSeconds / seconds));
        }
    }

    public ScenarioFacts FactsAt(double scale) =>
        new() { Name = Name, Description = Description, Source = Source, Scale = scale };

    public IReadOnlyList<PhasePlan> PlansAt(double scale) => [.. Phases.Select(phase => phase.Plan(scale))];
}

internal sealed record ScenarioPhase
{
    private static readonly ValueSyntax<TimeSpan> Duration = Syntax.Duration();

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
        plan.Given = TextsOf(plan);
        return plan;
    }

    // The options as they took effect: what a scale changes is told as it is.
    private Dictionary<string, string> TextsOf(PhasePlan plan)
    {
        var texts = new Dictionary<string, string>(Given) { ["records"] = Text(plan.Records) };
        texts.Remove("total-size");
        if (!plan.IsLoad && plan.Operations is { } operations)
            texts["operations"] = Text(operations);
        if (plan.Duration is { } duration)
            texts["duration"] = Duration.Write(duration)!;
        if (texts.ContainsKey("warmup"))
            texts["warmup"] = Duration.Write(plan.WarmUp)!;
        return texts;
    }

    private static string Text(long count) => count.ToString(CultureInfo.InvariantCulture);
}
