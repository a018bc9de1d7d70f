using RedisLatency.Replication.Figures;

namespace RedisLatency.Replication.Probe;

/// <summary>The keys of writers in this process: their ledger tells when each was sent, by the one clock.</summary>
/// <param name="ledger">What the writers tell.</param>
/// <param name="writers">How many there are.</param>
/// <param name="whose">Whose keys: each writer's numbers are its own and every so many after it.</param>
/// <param name="tally">Where delays go.</param>
/// <param name="trace">Where every key goes; null for nowhere.</param>
internal sealed class LedgerKeys(
    KeyLedger ledger, int writers, IEnumerable<int> whose, DelayTally tally, KeyTrace? trace) : IKeyRegister
{
    private readonly long[] _next = [.. whose];
    private int _writer;

    /// <inheritdoc/>
    public bool HasEnded => ledger.HasEnded;

    /// <inheritdoc/>
    public bool TryAdmit(out PendingKey key)
    {
        for (var tried = 0; tried < _next.Length; tried++)
        {
            ref var next = ref _next[_writer];
            while (next < ledger.Keys && ledger.SentOf(next) is var sent and not 0)
            {
                key = new PendingKey(next, sent, sent);
                next += writers;
                if (sent > 0)
                    return true;
            }

            _writer = (_writer + 1) % _next.Length;
        }

        key = default;
        return false;
    }

    /// <inheritdoc/>
    // The source's refusal may come after the key was admitted.
    public bool IsWithdrawn(long sequence) => ledger.SentOf(sequence) == KeyLedger.Refused;

    /// <inheritdoc/>
    public void Found(in PendingKey key, long intendedNs, long sentNs, long foundNs)
    {
        tally.Read++;
        trace?.Note(key.Sequence, KeyFate.Read, key.LastMissNs, foundNs);
        tally.Record(sentNs, intendedNs, key.LastMissNs, foundNs);
    }

    /// <inheritdoc/>
    public void Overwritten(in PendingKey key, long foundNs)
    {
        tally.Overwritten++;
        trace?.Note(key.Sequence, KeyFate.Overwritten, key.LastMissNs, foundNs);
    }

    /// <inheritdoc/>
    public void Missing(in PendingKey key, long askedNs)
    {
        tally.Miss(key.Sequence);
        trace?.Note(key.Sequence, KeyFate.Missing, askedNs, 0);
    }
}
