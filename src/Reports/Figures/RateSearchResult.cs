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
