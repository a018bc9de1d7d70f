namespace RedisLatency.Reports.Figures;

/// <summary>What somebody said of the clocks, and whether it was believed.</summary>
public sealed record ClockClaim
{
    /// <summary>Which: same clock, utc, …</summary>
    public required string Name { get; init; }

    /// <summary>On whose word: the hosts, and the source on each.</summary>
    public required string Source { get; init; }

    /// <summary>Whether θ was intersected with it. Refused, it changed nothing.</summary>
    public required bool IsAccepted { get; init; }

    /// <summary>Why, in either case.</summary>
    public required string Reason { get; init; }

    /// <summary>In how many windows the probes contradicted it; above 0 the grade is F.</summary>
    public long ContradictedWindows { get; init; }

    /// <summary>
    /// How far θ could have been off, in nanoseconds, without the probes refuting the claims; null where it was
    /// refused.
    /// </summary>
    public long? UnrefutedNs { get; init; }

    /// <summary>How wide it was: the half-width in nanoseconds; null where it gave none.</summary>
    public long? ErrorNs { get; init; }
}
