namespace RedisLatency.Reports.Figures;

/// <summary>Why entries were skipped.</summary>
/// <param name="Reason">In words.</param>
/// <param name="First">The first key.</param>
/// <param name="Count">How many.</param>
public sealed record SkipReason(string Reason, string First, long Count);
