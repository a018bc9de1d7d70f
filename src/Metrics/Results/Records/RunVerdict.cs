namespace RedisLatency.Metrics.Results.Records;

/// <summary>Whether the numbers may be relied on.</summary>
/// <param name="Valid">Whether they may.</param>
/// <param name="Reasons">Why not, a sentence each; or what to keep in mind although they may.</param>
public sealed record RunVerdict(bool Valid, IReadOnlyList<string> Reasons);
