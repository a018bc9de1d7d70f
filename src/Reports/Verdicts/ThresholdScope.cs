namespace RedisLatency.Reports.Verdicts;

/// <summary>Which of several a threshold is about: <c>{destination=shanghai}</c>.</summary>
/// <param name="Label">What there are several of.</param>
/// <param name="Name">Which one.</param>
public sealed record ThresholdScope(string Label, string Name);
