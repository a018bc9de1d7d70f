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

/// <summary>A key that is on its way and has not been seen at the destination.</summary>
/// <param name="Sequence">Its number.</param>
/// <param name="SentNs">When it was sent, as far as is known before it comes, by the reader's clock.</param>
/// <param name="LastMissNs">
/// When the last look that did not find it went out; before the first one when it was sent, or zero where only the
/// writer knows that.
/// </param>
internal readonly record struct PendingKey(long Sequence, long SentNs, long LastMissNs)
{
    private readonly long _beforeAnyLookNs = LastMissNs;

    /// <summary>The same without any look: what one server had not is no bound for another.</summary>
    public PendingKey Unlooked => this with { LastMissNs = _beforeAnyLookNs };
}
