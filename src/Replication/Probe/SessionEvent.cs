namespace RedisLatency.Replication.Probe;

/// <summary>Something that happened during a session.</summary>
/// <param name="AtNs">When, in nanoseconds of the monotonic clock.</param>
/// <param name="Kind">What, in one word.</param>
/// <param name="Text">What, in a sentence.</param>
internal sealed record SessionEvent(long AtNs, string Kind, string Text);
