namespace RedisLatency.Replication.Probe;

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
