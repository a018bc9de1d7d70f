namespace RedisLatency.Metrics.Histograms;

/// <summary>One line of a percentile distribution.</summary>
/// <param name="Percentile">The step's percentile, 0 to 100.</param>
/// <param name="Value">The highest equivalent of the value there.</param>
/// <param name="CumulativeCount">How many values are equivalent to it or less.</param>
public readonly record struct PercentileStep(double Percentile, long Value, long CumulativeCount);
