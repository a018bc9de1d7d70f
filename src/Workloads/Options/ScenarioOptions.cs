namespace RedisLatency.Workloads.Options;

internal sealed class ScenarioOptions : MeasuringOptions
{
    /// <summary>The name of a built-in scenario, or a file; null to list the built-in ones.</summary>
    public string? Scenario { get; set; }

    /// <summary>What records, operations, durations and pauses are multiplied by; null for the default.</summary>
    public double? Scale { get; set; }

    /// <summary>Which phases: those whose group or name has one of these texts in it; empty for all.</summary>
    public IReadOnlyList<string> Only { get; set; } = [];
}
