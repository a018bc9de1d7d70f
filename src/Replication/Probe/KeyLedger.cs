using RedisLatency.Replication.Figures;

namespace RedisLatency.Replication.Probe;

/// <summary>What writers tell the reader of each key: when sent, or why never. Each key has one writer.</summary>
internal sealed class KeyLedger(long keys)
{
    public const long Unsent = -1;

    public const long Refused = -2;

    public const long Most = 10_000_000;

    private readonly long[] _sent = new long[keys];
    private volatile bool _hasEnded;

    public long Keys => _sent.LongLength;

    public bool HasEnded => _hasEnded;

    public long SentOf(long sequence) => Volatile.Read(ref _sent[sequence]);

    public void Note(long sequence, long sentNs) => Volatile.Write(ref _sent[sequence], sentNs);

    public void End() => _hasEnded = true;
}

/// <summary>The keys of writers in this process: their ledger tells when each was sent, by the one clock.</summary>
internal sealed class LedgerKeys(
    KeyLedger ledger, int writers, IEnumerable<int> whose, DelayTally tally, KeyTrace? trace) : IKeyRegister
{
    private readonly long[] _next = [.. whose];
    private int _writer;

    public bool HasEnded => ledger.HasEnded;

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

    // The source's refusal may come after the key was admitted.
    public bool IsWithdrawn(long sequence) => ledger.SentOf(sequence) == KeyLedger.Refused;

    public void Found(in PendingKey key, long intendedNs, long sentNs, long foundNs)
    {
        tally.Read++;
        trace?.Note(key.Sequence, KeyFate.Read, key.LastMissNs, foundNs);
        tally.Record(sentNs, intendedNs, key.LastMissNs, foundNs);
    }

    public void Overwritten(in PendingKey key, long foundNs)
    {
        tally.Overwritten++;
        trace?.Note(key.Sequence, KeyFate.Overwritten, key.LastMissNs, foundNs);
    }

    public void Missing(in PendingKey key, long askedNs)
    {
        tally.Miss(key.Sequence);
        trace?.Note(key.Sequence, KeyFate.Missing, askedNs, 0);
    }
}

/// <summary>Knows which keys are on their way, and is told what became of them. One thread.</summary>
internal interface IKeyRegister
{
    bool HasEnded { get; }
    bool TryAdmit(out PendingKey key);
    bool IsWithdrawn(long sequence);
    void Found(in PendingKey key, long intendedNs, long sentNs, long foundNs);
    void Overwritten(in PendingKey key, long foundNs);
    void Missing(in PendingKey key, long askedNs);
}

internal readonly record struct PendingKey(long Sequence, long SentNs, long LastMissNs)
{
    private readonly long _beforeAnyLookNs = LastMissNs;

    public PendingKey Unlooked => this with { LastMissNs = _beforeAnyLookNs };
}
