namespace RedisLatency.Hosting.Live;

/// <summary>
/// One-way latency while it is measured, in nanoseconds: the offset of its windows is final only some seconds later.
/// </summary>
/// <param name="ForwardP50">The median of the way there so far.</param>
/// <param name="BackP50">The median of the way back so far; null at a consumer, which does not know it.</param>
/// <param name="Error">How far both may be wrong, either way, by what is known now.</param>
public readonly record struct ProvisionalOneWay(long ForwardP50, long? BackP50, long Error);
