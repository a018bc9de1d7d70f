namespace RedisLatency.Hosting.Running;

/// <param name="AtNs">When, by the monotonic clock.</param>
/// <param name="Kind">What kind of event, in a word.</param>
/// <param name="Text">A sentence.</param>
public sealed record SessionEvent(long AtNs, string Kind, string Text);
