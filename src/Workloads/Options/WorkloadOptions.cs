using RedisLatency.Hosting.Options;

namespace RedisLatency.Workloads.Options;

internal abstract class MeasuringOptions
{
    public TargetOptions Target { get; } = new();

    public RunningOptions Running { get; } = new();

    public IdentityOptions Identity { get; } = new();

    public OutputOptions Output { get; } = new();
}

internal sealed class WorkloadOptions : MeasuringOptions
{
    public PhaseOptions Phase { get; } = new();
}

internal sealed class ScenarioOptions : MeasuringOptions
{
    /// <summary>The name of a built-in scenario, or a file; null to list the built-in ones.</summary>
    public string? Scenario { get; set; }

    /// <summary>What records, operations, durations and pauses are multiplied by; null for the default.</summary>
    public double? Scale { get; set; }

    /// <summary>Which phases: those whose group or name has one of these texts in it; empty for all.</summary>
    public IReadOnlyList<string> Only { get; set; } = [];
}
