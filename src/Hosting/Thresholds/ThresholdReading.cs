namespace RedisLatency.Hosting.Thresholds;

/// <summary>The value a threshold is held against.</summary>
/// <param name="Value">In the threshold's unit; NaN where there is none.</param>
/// <param name="HasEnoughSamples">Whether enough samples lie above the percentile to state it.</param>
public readonly record struct ThresholdReading(double Value, bool HasEnoughSamples = true);
