namespace RedisLatency.Reports.Figures;

/// <summary>The scenario that phases came from.</summary>
public sealed record ScenarioFacts
{
    /// <summary>Its name.</summary>
    public required string Name { get; init; }

    /// <summary>What it measures.</summary>
    public string? Description { get; init; }

    /// <summary>Who published the figures beside its own.</summary>
    public string? Source { get; init; }

    /// <summary>What records, operations, durations and pauses were multiplied by.</summary>
    public double Scale { get; init; } = 1;
}
