namespace RedisLatency.Workloads.Scenarios;

/// <summary>The fields of a scenario file; docs/scenario.schema.json describes them.</summary>
internal static class ScenarioForm
{
    public const string Load = "load";
    public const string Run = "run";

    public static IReadOnlyList<string> OfScenario { get; } =
        ["$schema", "name", "description", "source", "options", "sweep", "phases"];

    public static IReadOnlyList<string> OfPhase { get; } =
        ["name", "group", "verb", "pause", "options", "sweep", "published"];

    public static IReadOnlyList<string> OfPublished { get; } =
        ["category", "operation", "qps", "averageUs", "p99Us", "when"];

    public static IReadOnlyList<string> Swept { get; } =
        ["threads", "connections", "clients", "pipeline", "value-size", "rate"];
}
