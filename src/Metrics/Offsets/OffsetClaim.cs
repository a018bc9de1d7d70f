namespace RedisLatency.Metrics.Offsets;

/// <summary>
/// Somebody's word that the offset lay in an interval at one moment. Probes may refute it; it ages by the
/// drift bound, but for that of one clock, which does not drift against itself.
/// </summary>
/// <param name="Name">Whose word, as results print it. A newer claim of a name takes the older one's place.</param>
/// <param name="Kind">What it rests on.</param>
/// <param name="AtNs">When it held, on A's clock.</param>
/// <param name="LowNs">The least that B minus A may have been, in nanoseconds.</param>
/// <param name="HighNs">The most.</param>
public sealed record OffsetClaim(string Name, OffsetClaimKind Kind, long AtNs, long LowNs, long HighNs);
