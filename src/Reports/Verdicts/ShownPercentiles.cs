using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Machine;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Reports.Verdicts;

/// <summary>Percentiles that a reader is shown first, and that the machine may have made.</summary>
/// <param name="Name">What the series is called for the reader.</param>
/// <param name="Series">What it is called in thresholds.</param>
/// <param name="Percentiles">The percentiles; those that are not known without a value.</param>
/// <param name="ValueAt">Any percentile of the same samples, 0 to 100; null where it is not known.</param>
/// <param name="Samples">How many samples there are.</param>
public sealed record ShownPercentiles(
    string Name, string Series, IReadOnlyList<PercentileRow> Percentiles, Func<double, long?> ValueAt, long Samples)
{
    /// <summary>What those on the way of these samples waited for a processor.</summary>
    public IReadOnlyList<ProcessorWaits> Waits { get; init; } = [];

    /// <summary>How late what was measured left, where the series contains it.</summary>
    public LatencyHistogram? Lateness { get; init; }

    /// <summary>Those of a series that was just measured.</summary>
    public static ShownPercentiles Of(LatencySeries series, string mark = "") => new(
        mark + series.Name, series.Name, series.Percentiles, series.ValueAt ?? (_ => null), series.Count ?? 0);

    /// <inheritdoc cref="Of(LatencySeries, string)"/>
    public static ShownPercentiles Of(OneWaySeries series, string mark = "") => new(
        mark + series.Name, series.Name, series.Percentiles, series.ValueAt ?? (_ => null), series.Count);
}
