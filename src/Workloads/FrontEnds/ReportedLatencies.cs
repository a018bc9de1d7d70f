using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>Latencies in milliseconds, with the resolution of another tool where that is asked for.</summary>
/// <param name="histogram">The values.</param>
/// <param name="perMillisecond">How many of its units a millisecond has.</param>
internal sealed class ReportedLatencies(LatencyHistogram histogram, double perMillisecond)
{
    // HDR_DEFAULT of both: the lowest value told apart is 10 µs, so steps are 8 µs.
    private const long OriginalLowestUs = 10;

    public LatencyHistogram Histogram => histogram;

    public double PerMillisecond => perMillisecond;

    public double Min => histogram.Min / perMillisecond;

    public double Max => histogram.Max / perMillisecond;

    public double Mean => histogram.Mean / perMillisecond;

    /// <summary>As they were measured, in nanoseconds with three digits.</summary>
    public static ReportedLatencies Exact(LatencyHistogram nanoseconds) => new(nanoseconds, 1e6);

    /// <summary>As the original keeps them: microseconds in steps of 8, and none above its limit.</summary>
    public static ReportedLatencies Original(LatencyHistogram nanoseconds, long mostUs, int digits)
    {
        var coarse = new LatencyHistogram(OriginalLowestUs, mostUs, digits);
        foreach (var recorded in nanoseconds.RecordedValues)
            coarse.Record(Math.Min(recorded.Median / 1000, mostUs), recorded.Count);
        return new(coarse, 1e3);
    }

    public double At(double percentile) => histogram.ValueAtPercentile(percentile) / perMillisecond;

    /// <summary>How many values are at most so long, and the longest that is told apart from no more.</summary>
    public (long Count, double Milliseconds) UpTo(double milliseconds)
    {
        var value = (long)Math.Round(milliseconds * perMillisecond);
        return value > histogram.HighestRecordable
            ? (histogram.TotalCount, milliseconds)
            : (histogram.CountBetween(0, value), histogram.HighestEquivalent(value) / perMillisecond);
    }

    public IEnumerable<(double Percentile, double Milliseconds, long Count)> Steps(int perHalfDistance)
    {
        var steps = new List<(double, double, long)>();
        foreach (var step in histogram.Percentiles(perHalfDistance))
            steps.Add((step.Percentile, step.Value / perMillisecond, step.CumulativeCount));
        return steps;
    }
}
