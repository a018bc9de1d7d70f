namespace RedisLatency.Workloads.Scenarios;

/// <summary>The fields of a scenario file; docs/scenario.schema.json describes them.</summary>
internal static class ScenarioForm
{
    public const string Load = "load";
    public const string Run = "run";

    /// <summary>Of the file.</summary>
    public static IReadOnlyList<string> OfScenario { get; } =
        ["$schema", "name", "description", "source", "options", "sweep", "phases"];

    /// <summary>Of a phase.</summary>
    public static IReadOnlyList<string> OfPhase { get; } =
        ["name", "group", "verb", "pause", "options", "sweep", "published"];

    /// <summary>Of a published figure.</summary>
    public static IReadOnlyList<string> OfPublished { get; } =
        ["category", "operation", "qps", "averageUs", "p99Us", "when"];

    /// <summary>The options that may be swept.</summary>
    public static IReadOnlyList<string> Swept { get; } =
        ["threads", "connections", "clients", "pipeline", "value-size", "rate"];
}
