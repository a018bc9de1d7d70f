namespace RedisLatency.Fleet.Meeting;

/// <summary>That all members go on from a barrier.</summary>
/// <param name="AtNs">When, by the control server's clock: Unix time in nanoseconds.</param>
internal sealed record StartNotice(long AtNs);
