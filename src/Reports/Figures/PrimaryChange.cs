namespace RedisLatency.Reports.Figures;

/// <summary>Another server became a primary during a phase: a failover, or one that was added.</summary>
public sealed record PrimaryChange
{
    /// <summary>When that was noticed, in nanoseconds since measuring began; negative in the warm-up.</summary>
    public required long AtNs { get; init; }

    /// <summary>Who was it before; null where nobody was.</summary>
    public string? From { get; init; }

    /// <summary>The new primary.</summary>
    public required string To { get; init; }
}
