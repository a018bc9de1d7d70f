namespace RedisLatency.Reports.Figures;

/// <summary>The highest rate that was held under a latency limit, and how sure that is.</summary>
public sealed record RateSearchResult
{
    /// <summary>The limit, such as response.p99&lt;1ms.</summary>
    public required string Limit { get; init; }

    /// <summary>The percentile that the limit is of.</summary>
    public required double Percentile { get; init; }

    /// <summary>What the percentile must stay below, in nanoseconds.</summary>
    public required double LimitNs { get; init; }

    /// <summary>
    /// The highest rate, in operations per second, that was sent and held; null where none was. It was measured once
    /// more, for longer.
    /// </summary>
    public double? Held { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>The lowest rate above it that was not held; null where none was asked for.</summary>
    public double? NotHeld { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>What kept that one from being held.</summary>
    public SearchEnd End { get; init; }

    /// <summary>What was measured, in the order of the search.</summary>
    public IReadOnlyList<SearchStep> Steps { get; init; } = [];
}

/// <summary>What ended a search for the highest rate.</summary>
public enum SearchEnd
{
    /// <summary>The latency limit was missed, by what the operations went to.</summary>
    Latency,

    /// <summary>This tool could not send so much: the server may do more.</summary>
    Generator,

    /// <summary>The run ended before the rate was found.</summary>
    Unfinished,
}

/// <summary>One rate that was tried.</summary>
public sealed record SearchStep
{
    /// <summary>The phase that it was.</summary>
    public required string Phase { get; init; }

    /// <summary>The rate that was asked for, in operations per second.</summary>
    public required double Asked { get; init; }

    /// <summary>The rate that was completed.</summary>
    public double? Achieved { get; init => field = FiniteNumber.OrNull(value); }

    /// <summary>The percentile, in nanoseconds; null where it is not known, as its 95 % interval's ends.</summary>
    public long? ValueNs { get; init; }

    /// <summary>Where the interval begins.</summary>
    public long? LowerNs { get; init; }

    /// <summary>Where it ends.</summary>
    public long? UpperNs { get; init; }

    /// <summary>What it says of the rate.</summary>
    public required StepOutcome Outcome { get; init; }

    /// <summary>Why it was not held, or is not sure; null where it was held.</summary>
    public string? Because { get; init; }
}

/// <summary>What one step says of its rate.</summary>
public enum StepOutcome
{
    /// <summary>All of the percentile's interval lies below the limit.</summary>
    Held,

    /// <summary>It lies at the limit or above.</summary>
    Missed,

    /// <summary>The limit lies within the interval, or there is none and the value is near.</summary>
    Unsure,

    /// <summary>This tool did not send in time.</summary>
    Generator,
}
