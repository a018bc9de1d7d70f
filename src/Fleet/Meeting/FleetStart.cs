namespace RedisLatency.Fleet.Meeting;

/// <summary>When all members start.</summary>
/// <param name="AtNs">By this host's monotonic clock, in nanoseconds.</param>
/// <param name="ServerNs">By the control server's clock, the same in all members: Unix time in nanoseconds.</param>
/// <param name="ErrorNs">How far this host's reckoning of that clock may be off, either way.</param>
public readonly record struct FleetStart(long AtNs, long ServerNs, long ErrorNs);
