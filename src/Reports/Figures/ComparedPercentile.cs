namespace RedisLatency.Reports.Figures;

/// <summary>
/// A percentile of both, and how they differ over the turns. The intervals of all rows hold together with 95 %.
/// </summary>
public sealed record ComparedPercentile
{
    /// <summary>Which percentile.</summary>
    public required double Percentile { get; init; }

    /// <summary>Of all turns of the first together, in nanoseconds.</summary>
    public required double BaseNs { get; init; }

    /// <summary>Of all turns of the other together.</summary>
    public required double OtherNs { get; init; }

    /// <summary>How much longer the other takes, in nanoseconds.</summary>
    public required double DifferenceNs { get; init; }

    /// <summary>Where the interval of the difference begins.</summary>
    public required double DifferenceLowerNs { get; init; }

    /// <summary>Where it ends.</summary>
    public required double DifferenceUpperNs { get; init; }

    /// <summary>How many times as long the other takes.</summary>
    public required double Ratio { get; init; }

    /// <summary>Where the interval of the ratio begins.</summary>
    public required double RatioLower { get; init; }

    /// <summary>Where it ends.</summary>
    public required double RatioUpper { get; init; }

    /// <summary>What that comes to.</summary>
    public ComparisonOutcome Outcome => RatioLower > 1 ? ComparisonOutcome.Worse
        : RatioUpper < 1 ? ComparisonOutcome.Better
        : ComparisonOutcome.NoDifferenceShown;
}
