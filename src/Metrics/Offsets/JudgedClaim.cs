namespace RedisLatency.Metrics.Offsets;

/// <summary>A claim as it stood in one window, grown by drift to the window's reference.</summary>
/// <param name="Name">Whose word.</param>
/// <param name="Kind">What it rests on.</param>
/// <param name="LowNs">The least offset it allows at the window's reference, in nanoseconds.</param>
/// <param name="HighNs">The most.</param>
/// <param name="Agrees">
/// Whether it meets the probes' interval and the other claims. One that does not is a falseticker: the window then
/// rests on the probes alone.
/// </param>
public sealed record JudgedClaim(string Name, OffsetClaimKind Kind, long LowNs, long HighNs, bool Agrees);
