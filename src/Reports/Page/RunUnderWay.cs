using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Records;

namespace RedisLatency.Reports.Page;

/// <summary>What is known of a run while it lasts, besides its interval log.</summary>
public sealed record RunUnderWay
{
    /// <summary>What the run calls itself; empty until it has begun to measure.</summary>
    public string Run { get; init; } = string.Empty;

    /// <summary>Who measures: <c>producer p1 in eu-west</c>.</summary>
    public string Who { get; init; } = string.Empty;

    /// <summary>What it does now, and for how long it has: <c>measuring for 12 s</c>.</summary>
    public required string Doing { get; init; }

    public required DateTimeOffset Began { get; init; }

    /// <summary>The servers.</summary>
    public IReadOnlyList<string> Targets { get; init; } = [];

    public IReadOnlyList<RecordedOption> Options { get; init; } = [];

    /// <summary>
    /// What was counted so far by its name, a value for each of what was measured, by <see cref="CountedOf"/>.
    /// </summary>
    public IReadOnlyList<(string Name, IReadOnlyList<string> Values)> Counts { get; init; } = [];

    /// <summary>The phases or servers that counts are of.</summary>
    public IReadOnlyList<string> CountedOf { get; init; } = [];

    /// <summary>What has happened so far.</summary>
    public IReadOnlyList<RunEvent> Events { get; init; } = [];

    /// <summary>What a search for the highest rate has found so far; null of any other run.</summary>
    public RateSearchResult? Search { get; init; }
}
