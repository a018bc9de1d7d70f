namespace RedisLatency.Reports.Figures;

/// <summary>
/// How one server differs from another by what was measured of both in turns. A positive difference and a ratio above
/// one mean that the other is slower.
/// </summary>
public sealed record TargetComparison
{
    /// <summary>Against which.</summary>
    public required string Base { get; init; }

    /// <summary>Which.</summary>
    public required string Other { get; init; }

    /// <summary>The series whose percentiles are compared.</summary>
    public required string Series { get; init; }

    /// <summary>How many turns each had; the intervals are over these, not over samples.</summary>
    public required int Turns { get; init; }

    /// <summary>What is known of each percentile; those that a turn has too few samples for are left out.</summary>
    public IReadOnlyList<ComparedPercentile> Percentiles { get; init; } = [];
}
