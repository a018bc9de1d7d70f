using RedisLatency.Reports.Figures;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Records;

namespace RedisLatency.Hosting.LivePages;

/// <summary>What a run knows of itself while it lasts, besides its interval log; read on any thread.</summary>
/// <param name="Counted">What is measured.</param>
internal sealed record RunSoFar(IReadOnlyList<MetricSet> Counted)
{
    /// <summary>Gives what has happened.</summary>
    public Func<IReadOnlyList<RunEvent>> Events { get; init; } = () => [];

    /// <summary>What a search for the highest rate has found; null of any other run.</summary>
    public RateSearchResult? Search { get; init; }
}
