using RedisLatency.Metrics.Clocks;

namespace RedisLatency.Metrics.HostClocks;

/// <summary>Something that happened to a host's clock between two samples.</summary>
/// <param name="AtNs">When the later sample was taken, in nanoseconds of <see cref="MonotonicClock"/>.</param>
/// <param name="Kind">What happened.</param>
/// <param name="ChangeNs">How far the wall clock moved, or how long the host slept; 0 for a rate.</param>
/// <param name="ChangePpm">By how much the rate changed; 0 for the others.</param>
public readonly record struct ClockEvent(long AtNs, ClockEventKind Kind, long ChangeNs, double ChangePpm);
