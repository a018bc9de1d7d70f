using System.Text.Json.Serialization;

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

    /// <summary>
    /// The step that decided on each rate, the lowest rate first: the last, as a rate is tried until it is decided.
    /// </summary>
    [JsonIgnore]
    public IEnumerable<SearchStep> Deciding =>
        Steps.GroupBy(step => step.Asked).OrderBy(rate => rate.Key).Select(rate => rate.Last());

    /// <summary>What was measured last at the rate that was held: for longer than others.</summary>
    [JsonIgnore]
    public SearchStep? Answer => DecidingAt(Held);

    /// <summary>What was measured last at the rate above it.</summary>
    [JsonIgnore]
    public SearchStep? Above => DecidingAt(NotHeld);

    /// <summary>The lowest rate above the answer that surely missed: of those between it is not sure.</summary>
    [JsonIgnore]
    public SearchStep? Missed =>
        Deciding.FirstOrDefault(step => step.Outcome == StepOutcome.Missed && step.Asked > (Held ?? 0));

    /// <summary>
    /// Lower rates that were missed when the answer had been found: the server, or the machine, is another by then.
    /// </summary>
    [JsonIgnore]
    public IReadOnlyList<SearchStep> MissedLater => Answer is not { } answer ? []
        :
        [
            .. Steps.SkipWhile(step => step != answer)
                .Where(step => step.Asked < answer.Asked && step.Outcome == StepOutcome.Missed),
        ];

    private SearchStep? DecidingAt(double? rate) => Steps.LastOrDefault(step => step.Asked.Equals(rate));
}

/// <summary>What ended a search for the highest rate.</summary>
public enum SearchEnd
{
    /// <summary>The latency limit was missed, by what the operations went to.</summary>
    Latency,

    /// <summary>This tool could not send so much: the server may do more.</summary>
    Generator,

    /// <summary>Whether the latency limit was missed is not sure, however long it was measured.</summary>
    Unsure,

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

/// <summary>What one step says of its rate.</summary>
public enum StepOutcome
{
    /// <summary>All of the percentile's interval lies below the limit.</summary>
    Held,

    /// <summary>It lies at the limit or above, or not all that was due could be sent.</summary>
    Missed,

    /// <summary>The limit lies within the interval, or there is none and the value is near.</summary>
    Unsure,

    /// <summary>This tool did not send in time.</summary>
    Generator,
}
