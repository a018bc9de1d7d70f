namespace RedisLatency.Replication.Probe;

/// <summary>Knows which keys are on their way, and is told what became of them. One thread.</summary>
internal interface IKeyRegister
{
    /// <summary>Whether no key will be admitted any more.</summary>
    bool HasEnded { get; }

    /// <summary>Hands over the next key that may be on its way.</summary>
    bool TryAdmit(out PendingKey key);

    /// <summary>Whether a key that was admitted will never come.</summary>
    bool IsWithdrawn(long sequence);

    /// <summary>A key was found as it was written.</summary>
    /// <param name="key">The key.</param>
    /// <param name="intendedNs">When it was due, by the writer's clock.</param>
    /// <param name="sentNs">When it was sent, by the writer's clock.</param>
    /// <param name="foundNs">When the answer came that held it.</param>
    void Found(in PendingKey key, long intendedNs, long sentNs, long foundNs);

    /// <summary>It had another value.</summary>
    void Overwritten(in PendingKey key, long foundNs);

    /// <summary>It was not there when its deadline had passed.</summary>
    void Missing(in PendingKey key, long askedNs);
}
