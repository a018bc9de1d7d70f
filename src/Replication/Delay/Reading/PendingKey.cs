namespace RedisLatency.Replication.Delay.Reading;

/// <summary>A key that was sent and has not been seen at the destination.</summary>
/// <param name="Sequence">Its number.</param>
/// <param name="SentNs">When it was sent.</param>
/// <param name="LastMissNs">When the last look that did not find it went out; before the first, when it was sent.</param>
internal readonly record struct PendingKey(long Sequence, long SentNs, long LastMissNs);
