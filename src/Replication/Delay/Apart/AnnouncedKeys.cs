using RedisLatency.Metrics.Clocks;
using RedisLatency.Replication.Delay.Apart.Clocks;
using RedisLatency.Replication.Delay.Reading;

namespace RedisLatency.Replication.Delay.Apart;

/// <summary>The keys of a writer elsewhere: its schedule tells when to begin to look for each.</summary>
internal sealed class AnnouncedKeys : IKeyRegister
{
    // Looked for too early a key costs one look; too late, the lower end of its delay.
    private const long HeadStartNs = 2_000_000;

    private readonly Announcement _announced;
    private readonly WriterClock _clock;
    private readonly DelayTally _tally;
    private readonly List<FoundKey> _found = [];
    private long _next;
    private long _limit;
    private volatile bool _isStopped;

    /// <summary>Begins with the first key that is due from now on.</summary>
    public AnnouncedKeys(Announcement announced, WriterClock clock, DelayTally tally)
    {
        (_announced, _clock, _tally, _limit) = (announced, clock, tally, announced.Keys);
        var since = MonotonicClock.NowNs() + clock.ProvisionalNs - announced.StartNs;
        _next = Late = Math.Clamp((long)Math.Ceiling(since / announced.IntervalNs), 0, announced.Keys);
    }

    /// <summary>Keys that were due before; they do not count.</summary>
    public long Late { get; }

    /// <inheritdoc/>
    public bool HasEnded => _isStopped || _next >= Limit;

    /// <summary>The keys that were read, in the order in which they came; once reading has ended.</summary>
    public IReadOnlyList<FoundKey> Read => _found;

    /// <summary>The number after the last key that was looked for.</summary>
    public long Admitted => _next;

    /// <summary>Numbers from this one on never come.</summary>
    public long Limit
    {
        get => Interlocked.Read(ref _limit);
        set => Interlocked.Exchange(ref _limit, Math.Min(value, _announced.Keys));
    }

    /// <summary>Admits no more keys; those that are looked for still are, until their deadline.</summary>
    public void Stop() => _isStopped = true;

    /// <inheritdoc/>
    public bool TryAdmit(out PendingKey key)
    {
        key = default;
        if (HasEnded)
            return false;
        var due = _announced.DueOf(_next) - _clock.ProvisionalNs;
        if (due - HeadStartNs > MonotonicClock.NowNs())
            return false;
        key = new PendingKey(_next++, due, 0);
        return true;
    }

    /// <inheritdoc/>
    public bool IsWithdrawn(long sequence) => sequence >= Limit;

    /// <inheritdoc/>
    public void Found(in PendingKey key, long intendedNs, long sentNs, long foundNs)
    {
        _tally.Read++;
        _found.Add(new FoundKey(intendedNs, sentNs, key.LastMissNs, foundNs));
    }

    /// <inheritdoc/>
    public void Overwritten(in PendingKey key, long foundNs) => _tally.Overwritten++;

    /// <inheritdoc/>
    public void Missing(in PendingKey key, long askedNs) => _tally.Miss(key.Sequence);
}
