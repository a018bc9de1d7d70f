namespace RedisLatency.Hosting.Thresholds;

/// <summary>A metric that a run will have, so that thresholds can be checked before it.</summary>
public sealed record KnownMetric(string Name, MetricKind Kind);
