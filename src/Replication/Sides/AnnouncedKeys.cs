using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Figures;
using RedisLatency.Replication.Probe;

namespace RedisLatency.Replication.Sides;

/// <summary>The keys of a writer elsewhere: its schedule tells when to begin to look for each.</summary>
internal sealed class AnnouncedKeys : IKeyRegister
{
    // Looked for too early a key costs one look; too late, the lower end of its delay.
    private const long HeadStartNs = 2_000_000;

    private readonly Announcement _announced;
    private readonly int _shard;
    private readonly WriterClock _clock;
    private readonly DelayTally _tally;
    private readonly List<FoundKey> _found = [];
    private readonly long _first;
    private long _next;
    private volatile WritingEnd? _end;
    private volatile bool _isStopped;

    /// <summary>Begins with the first key that is due from now on.</summary>
    /// <param name="announced">What the writer announced.</param>
    /// <param name="shard">Of which of its shards the keys are.</param>
    /// <param name="clock">The writer's clock.</param>
    /// <param name="tally">Where counts go.</param>
    public AnnouncedKeys(Announcement announced, int shard, WriterClock clock, DelayTally tally)
    {
        (_announced, _shard, _clock, _tally) = (announced, shard, clock, tally);
        var since = MonotonicClock.NowNs() + clock.ProvisionalNs - announced.StartNs;
        var due = Math.Clamp((long)Math.Ceiling(since / announced.IntervalNs), 0, announced.Keys);
        Late = Below(due, shard, Step);
        _next = _first = shard + (Late * Step);
    }

    /// <summary>Keys that were due before; they do not count.</summary>
    public long Late { get; }

    /// <summary>Their delays as far as they are known meanwhile.</summary>
    public ProvisionalDelays Provisional { get; } = new();

    /// <summary>When the first one that counts was due, by the writer's clock.</summary>
    public long FirstDueNs => _announced.DueOf(_first);

    /// <inheritdoc/>
    public bool HasEnded => _isStopped || _next >= _announced.Keys || IsOver(_end);

    /// <summary>The keys that were read, in the order in which they came; once reading has ended.</summary>
    public IReadOnlyList<FoundKey> Read => _found;

    /// <summary>
    /// Keys that were due, as far as is known: those that were looked for and not said never to have been.
    /// </summary>
    public long Asked
    {
        get
        {
            if (_end is not { } end)
                return (_next - _first) / Step;
            return Enumerable.Range(0, end.Writers.Count).Where(writer => writer % Step == _shard).Sum(
                writer => Math.Max(
                    0,
                    Math.Min(Below(_next, writer, end.Writers.Count), end.Writers[writer].Asked)
                        - Below(_first, writer, end.Writers.Count)));
        }
    }

    /// <summary>How the writer ended; null as long as it did not tell.</summary>
    public WritingEnd? End
    {
        get => _end;
        set => _end = value;
    }

    private int Step => _announced.Shards.Count;

    /// <summary>Admits no more keys; those that are looked for still are, until their deadline.</summary>
    public void Stop() => _isStopped = true;

    /// <inheritdoc/>
    public bool TryAdmit(out PendingKey key)
    {
        key = default;
        while (!HasEnded)
        {
            var due = DueOf(_next);
            if (due - HeadStartNs > MonotonicClock.NowNs())
                return false;
            var sequence = _next;
            _next += Step;
            if (IsWithdrawn(sequence))
                continue;
            key = new PendingKey(sequence, due, 0);
            return true;
        }

        return false;
    }

    /// <inheritdoc/>
    public bool IsWithdrawn(long sequence) => _end?.IsWithdrawn(sequence) == true;

    /// <summary>When a key is due by our clock, as far as is known now.</summary>
    public long DueOf(long sequence) => _announced.DueOf(sequence) - _clock.ProvisionalNs;

    /// <inheritdoc/>
    public void Found(in PendingKey key, long intendedNs, long sentNs, long foundNs)
    {
        _tally.Read++;
        var found = new FoundKey(intendedNs, sentNs, key.LastMissNs, foundNs);
        _found.Add(found);
        Provisional.Add(found, _clock.ProvisionalNs);
    }

    /// <inheritdoc/>
    public void Overwritten(in PendingKey key, long foundNs) => _tally.Overwritten++;

    /// <inheritdoc/>
    public void Missing(in PendingKey key, long askedNs) => _tally.Miss(key.Sequence);

    // How many of a turn's keys have a number below.
    private static long Below(long sequence, int first, int step) =>
        sequence <= first ? 0 : (sequence - first + step - 1) / step;

    // A writer that stopped has no more keys for any of this shard's turns.
    private bool IsOver(WritingEnd? end)
    {
        if (end is null)
            return false;
        for (var writer = _shard; writer < end.Writers.Count; writer += Step)
        {
            if (Below(_next, writer, end.Writers.Count) < end.Writers[writer].Asked)
                return false;
        }

        return true;
    }
}

/// <summary>A key that was read, with the stamps of both clocks.</summary>
/// <param name="IntendedNs">When it was due, by the writer's clock.</param>
/// <param name="SentNs">When it was sent, by the writer's clock.</param>
/// <param name="LastMissNs">
/// When the last look that did not find it went out, by ours; zero where there was none.
/// </param>
/// <param name="FoundNs">When the answer came that held it, by ours.</param>
internal readonly record struct FoundKey(long IntendedNs, long SentNs, long LastMissNs, long FoundNs);
