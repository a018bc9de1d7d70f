namespace RedisLatency.Replication.Probe;

internal readonly record struct PendingKey(long Sequence, long SentNs, long LastMissNs)
{
    private readonly long _beforeAnyPollNs = LastMissNs;

    public PendingKey Unpolled => this with { LastMissNs = _beforeAnyPollNs };
}
