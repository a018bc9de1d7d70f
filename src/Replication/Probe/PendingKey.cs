namespace RedisLatency.Replication.Probe;

/// <summary>A key that is polled for, and when it was last not there.</summary>
internal readonly record struct PendingKey(long Sequence, long SentNs, long LastMissNs)
{
    private readonly long _beforeAnyPollNs = LastMissNs;

    public PendingKey Unpolled => this with { LastMissNs = _beforeAnyPollNs };
}
