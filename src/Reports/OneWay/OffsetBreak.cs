namespace RedisLatency.Reports.OneWay;

/// <summary>An instant across which θ is not followed.</summary>
/// <param name="AtNs">When, in nanoseconds of the producer's monotonic clock.</param>
/// <param name="Kind">step, rate-change, suspended or gap.</param>
/// <param name="StepNs">By how much θ changed, in nanoseconds; 0 where it is no step.</param>
public sealed record OffsetBreak(long AtNs, string Kind, long StepNs);
