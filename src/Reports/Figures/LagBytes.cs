namespace RedisLatency.Reports.Figures;

/// <summary>How many bytes of the stream of replication a destination had not processed, at the most.</summary>
/// <param name="Samples">How often both ends were asked.</param>
/// <param name="Mean">On the average.</param>
/// <param name="Most">In one sample.</param>
public sealed record LagBytes(long Samples, double Mean, long Most);
