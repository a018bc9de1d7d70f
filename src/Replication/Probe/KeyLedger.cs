using System.Runtime.CompilerServices;
using System.Text;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Clocks;
using RedisLatency.Redis;
using RedisLatency.Replication.Servers;

namespace RedisLatency.Replication.Probe;

/// <summary>When the one writer of each key sent it, or why it never did; for the reader.</summary>
internal sealed class KeyLedger(long keys)
{
    public const long Unsent = -1;
    public const long Refused = -2;
    public const long Most = 10_000_000;

    // Beside the instant at which a key was sent.
    private const long WasRead = 1L << 62;
    private const long WasUnanswered = 1L << 61;

    private readonly long[] _sent = new long[keys];
    private volatile bool _hasEnded;

    public long Keys => _sent.LongLength;

    public bool HasEnded => _hasEnded;

    public long SentOf(long sequence)
    {
        var sent = Volatile.Read(ref _sent[sequence]);
        return sent > 0 ? sent & ~(WasRead | WasUnanswered) : sent;
    }

    // Whether its writing was never confirmed: the connection was lost before the answer came.
    public bool IsUnanswered(long sequence) =>
        Volatile.Read(ref _sent[sequence]) is > 0 and var sent && (sent & WasUnanswered) != 0;

    public void NoteUnanswered(long sequence) => Become(sequence, sent => sent > 0 ? sent | WasUnanswered : null);

    public void Note(long sequence, long sentNs) => Volatile.Write(ref _sent[sequence], sentNs);

    // False where the source says that it refused what was found: a key is one or the other.
    public bool NoteRead(long sequence) => Become(sequence, sent => sent == Refused ? null : sent | WasRead);

    // False where it was found all the same.
    public bool NoteRefused(long sequence) => Become(sequence, sent => (sent & WasRead) != 0 ? null : Refused);

    public void End() => _hasEnded = true;

    private bool Become(long sequence, Func<long, long?> next)
    {
        ref var slot = ref _sent[sequence];
        while (true)
        {
            var known = Volatile.Read(ref slot);
            if (next(known) is not { } then)
                return false;
            if (Interlocked.CompareExchange(ref slot, then, known) == known)
                return true;
        }
    }
}

/// <summary>The keys of a shard that are written in this process.</summary>
internal sealed class LedgerKeys(KeySession session, KeyRoute route, KeyTrace? trace) : IShardProbes, IKeyRegister
{
    // Beyond that the first ones say enough.
    private const int MostAskedOfSource = 10_000;

    private readonly KeyLedger _ledger = session.Ledger;
    private readonly List<KeyWriter> _writers = [.. NumbersOf(session, route).Select(n => session.KeyWriters[n])];
    private readonly long[] _next = [.. NumbersOf(session, route)];
    private StrongBox<long?>? _missingAtSource;
    private StrongBox<long?>? _missingUnconfirmed;
    private int _writer;

    public string? Shard => route.Shard;

    public string Source => route.Source.LastName;

    public bool AreWrittenElsewhere => false;

    public DelayTally Tally { get; } = new() { DeadlineNs = session.Options.Deadline.InNanoseconds };

    public DelayCounts Counts => DelayCounts.Sum(_writers, writer => writer.Counts) with
    {
        Read = Tally.Read,
        Overwritten = Tally.Overwritten,
        Missing = Tally.MissingCount,
    };

    // Asked once, when reading has ended.
    public long? MissingAtSource => (_missingAtSource ??= new(CountMissingAtSource(Tally.Missing))).Value;

    public long? MissingUnconfirmed =>
        (_missingUnconfirmed ??= new(CountMissingAtSource(Tally.Missing.Where(_ledger.IsUnanswered)))).Value;

    public bool HasEnded => _ledger.HasEnded;

    public ProbeReader NewReader(
        ReconnectingPipeline pipeline, DelayOptions options, SessionEvents events, ReplicaGuard? guard) =>
        new KeyReader(
            this, session.Id, route.Prefix, options, pipeline, events,
            session.Schedule.IntervalNs * session.Streams.Count, guard);

    public bool TryAdmit(out PendingKey key)
    {
        for (var tried = 0; tried < _next.Length; tried++)
        {
            ref var next = ref _next[_writer];
            while (next < _ledger.Keys && _ledger.SentOf(next) is var sent and not 0)
            {
                key = new PendingKey(next, sent, sent);
                next += session.Writers.Count;
                if (sent > 0)
                    return true;
            }

            _writer = (_writer + 1) % _next.Length;
        }

        key = default;
        return false;
    }

    // The source's refusal may come after the key was admitted.
    public bool IsWithdrawn(long sequence) => _ledger.SentOf(sequence) == KeyLedger.Refused;

    public void Found(in PendingKey key, long intendedNs, long sentNs, long foundNs)
    {
        if (!_ledger.NoteRead(key.Sequence))
            return;
        Tally.Read++;
        trace?.Note(key.Sequence, KeyFate.Read, key.LastMissNs, foundNs);
        Tally.Record(sentNs, intendedNs, key.LastMissNs, foundNs);
    }

    public void Overwritten(in PendingKey key, long foundNs)
    {
        if (!_ledger.NoteRead(key.Sequence))
            return;
        Tally.Overwritten++;
        trace?.Note(key.Sequence, KeyFate.Overwritten, key.LastMissNs, foundNs);
    }

    public void Missing(in PendingKey key, long askedNs)
    {
        Tally.Miss(key.Sequence);
        trace?.Note(key.Sequence, KeyFate.Missing, askedNs, 0);
    }

    private static IEnumerable<int> NumbersOf(KeySession session, KeyRoute route) =>
        Enumerable.Range(0, session.Writers.Count).Where(number => number % session.Streams.Count == route.Stream);

    // One that was evicted there could never come.
    private long? CountMissingAtSource(IEnumerable<long> missing)
    {
        var asked = missing.Take(MostAskedOfSource).ToList();
        if (asked.Count == 0)
            return 0;
        try
        {
            using var control = route.Source.Require().OpenControl();
            var key = new KeyNames(route.Prefix, session.Id);
            return asked.Select(sequence => Encoding.ASCII.GetString(key.Of(sequence)))
                .Chunk(500).Sum(chunk => chunk.Length - control.Execute(["EXISTS", .. chunk]).Number);
        }
        catch (RedisException)
        {
            return null;
        }
    }
}

/// <summary>What became of a key.</summary>
internal enum KeyFate
{
    Unread,
    Read,
    Overwritten,
    Missing,
    Refused,
    Unsent,
}
