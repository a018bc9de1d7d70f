namespace RedisLatency.Replication.Probe;

/// <summary>Knows which keys are on their way, and takes what became of them. One thread.</summary>
internal interface IKeyRegister
{
    bool HasEnded { get; }
    bool TryAdmit(out PendingKey key);
    bool IsWithdrawn(long sequence);
    void Found(in PendingKey key, long intendedNs, long sentNs, long foundNs);
    void Overwritten(in PendingKey key, long foundNs);
    void Missing(in PendingKey key, long askedNs);
}
