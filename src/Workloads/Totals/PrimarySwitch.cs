namespace RedisLatency.Workloads.Totals;

/// <summary>Another server has become a primary while the engine was at work.</summary>
/// <param name="AtNs">When that was noticed, by the monotonic clock.</param>
/// <param name="From">The address of who was it before; null where nobody was.</param>
/// <param name="To">The new primary's address.</param>
internal sealed record PrimarySwitch(long AtNs, string? From, string To);
