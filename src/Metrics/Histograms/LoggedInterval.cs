namespace RedisLatency.Metrics.Histograms;

/// <summary>One line of an interval log.</summary>
/// <param name="Tag">The series; null for the one without a tag.</param>
/// <param name="Start">When the interval began, to the millisecond.</param>
/// <param name="Length">How long it took, to the millisecond.</param>
/// <param name="Histogram">What was recorded, out of range too where the log tells.</param>
public sealed record LoggedInterval(string? Tag, DateTimeOffset Start, TimeSpan Length, LatencyHistogram Histogram);
