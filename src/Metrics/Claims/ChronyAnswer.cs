namespace RedisLatency.Metrics.Claims;

/// <summary>What came of asking chronyd.</summary>
/// <param name="Reply">What it said; null where it said nothing.</param>
/// <param name="Failure">Why there is no reply.</param>
internal readonly record struct ChronyAnswer(ChronyReply? Reply, string? Failure);
