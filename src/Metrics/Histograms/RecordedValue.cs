namespace RedisLatency.Metrics.Histograms;

/// <summary>Values that a histogram has counted as one.</summary>
/// <param name="Lowest">The lowest value that is counted here.</param>
/// <param name="Median">The middle of the values that are counted here.</param>
/// <param name="Highest">The highest value that is counted here.</param>
/// <param name="Count">How many were recorded; never 0.</param>
/// <param name="CumulativeCount">How many were recorded here and below.</param>
public readonly record struct RecordedValue(long Lowest, long Median, long Highest, long Count, long CumulativeCount);
