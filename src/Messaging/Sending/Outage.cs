namespace RedisLatency.Messaging.Sending;

/// <summary>A time without a connection, in nanoseconds of the monotonic clock.</summary>
/// <param name="StartNs">When the loss was noticed.</param>
/// <param name="EndNs">When there was a connection again; null while there is none.</param>
/// <param name="Reason">Why it was lost.</param>
public sealed record Outage(long StartNs, long? EndNs, string Reason);
