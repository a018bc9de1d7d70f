using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Hosting.Live;

/// <summary>What a live view shows of one histogram, in nanoseconds.</summary>
/// <param name="Count">How many values it holds; the rest means nothing where it is zero.</param>
/// <param name="P50">Half of the values are at most this.</param>
/// <param name="P90">Nine of ten.</param>
/// <param name="P99">99 of a hundred.</param>
/// <param name="P999">999 of a thousand.</param>
/// <param name="Max">The largest.</param>
public readonly record struct LatencyFigures(long Count, long P50, long P90, long P99, long P999, long Max)
{
    /// <summary>The figures of a histogram.</summary>
    public static LatencyFigures Of(LatencyHistogram histogram)
    {
        ArgumentNullException.ThrowIfNull(histogram);
        return new LatencyFigures(
            histogram.TotalCount,
            histogram.ValueAtPercentile(50),
            histogram.ValueAtPercentile(90),
            histogram.ValueAtPercentile(99),
            histogram.ValueAtPercentile(99.9),
            histogram.Max);
    }
}
