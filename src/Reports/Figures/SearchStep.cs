namespace RedisLatency.Reports.Figures;

/// <summary>One rate that was tried.</summary>
public sealed record SearchStep
{
    /// <summary>The phase that it was.</summary>
    public required string Phase { get; init; }

    /// <summary>The rate that was asked for, in operations per second.</summary>
    public required double Asked { get; init; }

    /// <summary>The rate that was completed; of a queue that was left, until the last reply.</summary>
    public double? Achieved { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>How long was measured, in nanoseconds.</summary>
    public long LengthNs { get; init; }

    /// <summary>The median of the same series, in nanoseconds; null where it is not known.</summary>
    public long? MedianNs { get; init; }

    /// <summary>The percentile, in nanoseconds; null where it is not known, as its 95 % interval's ends.</summary>
    public long? ValueNs { get; init; }

    /// <summary>Where the interval begins.</summary>
    public long? LowerNs { get; init; }

    /// <summary>Where it ends.</summary>
    public long? UpperNs { get; init; }

    /// <summary>What it says of the rate.</summary>
    public required StepOutcome Outcome { get; init; }

    /// <summary>How sure that is, and why.</summary>
    public string? Because { get; init; }
}
