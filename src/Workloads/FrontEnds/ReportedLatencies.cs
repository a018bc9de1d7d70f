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

    /// <summary>Null where it is not known: what was not answered could change it. So are the next ones.</summary>
    public double? Min => IsWhole || histogram.TotalCount > 0 ? histogram.Min / perMillisecond : null;

    public double? Max => IsWhole ? histogram.Max / perMillisecond : null;

    public double? Mean => IsWhole ? histogram.Mean / perMillisecond : null;

    public bool IsWhole => histogram.Missing == 0;

    /// <summary>
    /// The same where each figure needs a number: what was not answered lies behind all that was, and the last of it
    /// took as long as it was waited for.
    /// </summary>
    public ReportedLatencies AtLeast => IsWhole ? this : new(Whole(histogram), perMillisecond);

    /// <summary>As they were measured, in nanoseconds with three digits.</summary>
    public static ReportedLatencies Exact(LatencyHistogram nanoseconds) => new(nanoseconds, 1e6);

    /// <summary>As the original keeps them: microseconds in steps of 8, and none above its limit.</summary>
    public static ReportedLatencies Original(LatencyHistogram nanoseconds, long mostUs, int digits)
    {
        var coarse = new LatencyHistogram(OriginalLowestUs, mostUs, digits);
        foreach (var recorded in nanoseconds.RecordedValues)
            coarse.Record(Math.Min(recorded.Median / 1000, mostUs), recorded.Count);
        coarse.SetMissing(nanoseconds.Missing, nanoseconds.MissingAtLeast / 1000);
        return new(coarse, 1e3);
    }

    public double? At(double percentile)
    {
        var all = AtLeast.Histogram;
        var value = all.ValueAtPercentile(percentile);
        return IsWhole || value <= histogram.HighestEquivalent(histogram.Max) ? value / perMillisecond : null;
    }

    /// <summary>How many values are at most so long, and the longest that is told apart from no more.</summary>
    public (long Count, double Milliseconds) UpTo(double milliseconds)
    {
        var value = (long)Math.Round(milliseconds * perMillisecond);
        return value > histogram.HighestRecordable
            ? (histogram.TotalCount, milliseconds)
            : (histogram.CountBetween(0, value), histogram.HighestEquivalent(value) / perMillisecond);
    }

    private static LatencyHistogram Whole(LatencyHistogram answered)
    {
        var whole = answered.Copy();
        whole.SetMissing(0);
        var behind = Math.Min(
            answered.TotalCount == 0 ? 0 : answered.HighestEquivalent(answered.Max) + 1, answered.HighestRecordable);
        whole.Record(behind, answered.Missing - 1);
        whole.Record(Math.Clamp(answered.MissingAtLeast, behind, answered.HighestRecordable));
        return whole;
    }

    public IEnumerable<(double Percentile, double Milliseconds, long Count)> Steps(int perHalfDistance)
    {
        var steps = new List<(double, double, long)>();
        foreach (var step in histogram.Percentiles(perHalfDistance))
            steps.Add((step.Percentile, step.Value / perMillisecond, step.CumulativeCount));
        return steps;
    }
}
