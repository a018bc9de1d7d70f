using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.Verdicts;

/// <summary>Percentiles that a reader is shown first, and that the instrument may have made a part of.</summary>
/// <param name="Name">What the series is called for the reader.</param>
/// <param name="Percentiles">The percentiles; those that are not known without a value.</param>
/// <param name="Lateness">How late what was measured left; null where the series does not contain it.</param>
public sealed record ShownPercentiles(
    string Name, IReadOnlyList<PercentileRow> Percentiles, LatencySeries? Lateness = null);
